import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGitUsable, type GitMachine } from './usableGit';

/** The PATH of programs that macOS starts from the Dock. */
const launchd = '/usr/bin:/bin:/usr/sbin:/sbin';

function machine(programs: readonly string[], hasTools: boolean, more: Partial<GitMachine> = {}) {
  const ran: string[] = [];
  const made: GitMachine = {
    platform: 'darwin',
    path: launchd,
    isProgram: (path) => Promise.resolve(programs.includes(path)),
    succeeds: (program, args) => {
      ran.push([program, ...args].join(' '));
      return Promise.resolve(hasTools);
    },
    ...more,
  };
  return { made, ran };
}

test('never runs git on a Mac without the developer tools', async () => {
  const { made, ran } = machine(['/usr/bin/git'], false);
  assert.equal(await isGitUsable(made), false);
  assert.deepEqual(ran, ['/usr/bin/xcode-select --print-path']);
});

test('runs git on a Mac with developer tools or its own git', async () => {
  assert.equal(await isGitUsable(machine(['/usr/bin/git'], true).made), true);
  const own = machine(['/usr/bin/git', '/opt/homebrew/bin/git'], false, { path: `/opt/homebrew/bin:${launchd}` });
  assert.equal(await isGitUsable(own.made), true);
  assert.deepEqual(own.ran, []);
});

test('skips the check on other systems', async () => {
  const { made, ran } = machine(['/usr/bin/git'], false, { platform: 'linux' });
  assert.equal(await isGitUsable(made), true);
  assert.deepEqual(ran, []);
});
