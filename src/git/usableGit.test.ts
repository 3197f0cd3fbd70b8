import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usableGit, type GitMachine } from './usableGit';

function machine(program: string | undefined, hasTools: boolean, platform: NodeJS.Platform = 'darwin') {
  const ran: string[] = [];
  const made: GitMachine = {
    platform,
    program,
    succeeds: (tool, args) => {
      ran.push([tool, ...args].join(' '));
      return Promise.resolve(hasTools);
    },
  };
  return { made, ran };
}

test('never runs git on a Mac without the developer tools', async () => {
  const { made, ran } = machine('/usr/bin/git', false);
  assert.equal(await usableGit(made), undefined);
  assert.deepEqual(ran, ['/usr/bin/xcode-select --print-path']);
});

test('runs git on a Mac with developer tools or its own git', async () => {
  const own = machine('/opt/homebrew/bin/git', false);
  assert.equal(await usableGit(own.made), '/opt/homebrew/bin/git');
  assert.deepEqual(own.ran, []);
  const apples = machine('/usr/bin/git', true);
  assert.equal(await usableGit(apples.made), '/usr/bin/git');
  assert.equal(await usableGit(apples.made), '/usr/bin/git');
  assert.equal(apples.ran.length, 1, 'The tools are looked for once.');
});

test('skips the check on other systems', async () => {
  const { made, ran } = machine('/usr/bin/git', false, 'linux');
  assert.equal(await usableGit(made), '/usr/bin/git');
  assert.deepEqual(ran, []);
});
