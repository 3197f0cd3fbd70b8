import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { GitRepository } from '../../test/unit-support/gitRepository';
import { needsGit, posixOnly } from '../../test/unit-support/platform';
import { StartingRepository, waysIn } from '../../test/unit-support/startingRepository';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { programMemory } from '../host/git/programMemory';
import { fullGit } from './git';
import { KnownPrograms } from './knownPrograms';

function knownIn(t: TestContext) {
  const storage = tempFolder(t);
  const known = new KnownPrograms(programMemory(storage));
  const changes = async (folder: string) =>
    ((await known.stateOf(folder))?.changed ?? []).map(({ name, change }) => `${change} ${name}`);
  return { known, changes };
}

test('lists what has appeared and changed since a session began', needsGit, async (t) => {
  const repository = new GitRepository(t);
  const { folder } = repository;
  const hooks = join(folder, '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  repository.git('config', 'filter.own.clean', 'cat');
  writeFileSync(join(hooks, 'pre-push'), '#!/bin/sh\n');
  const { known, changes } = knownIn(t);
  assert.deepEqual(await changes(folder), [], 'No session has been there.');
  await known.begin(folder);
  // What every day brings.
  repository.git('config', 'branch.main.remote', 'origin');
  repository.git('remote', 'add', 'origin', 'https://example.com/x.git');
  repository.git('config', 'user.name', 'Bob');
  writeFileSync(join(hooks, 'pre-commit.sample'), 'x');
  assert.deepEqual(await changes(folder), []);
  repository.git('config', 'core.fsmonitor', './watch.sh');
  repository.git('config', 'filter.own.clean', 'evil');
  repository.git('config', 'include.path', '../more');
  repository.write('more', '[gpg]\n\tprogram = x\n');
  repository.write('watch.sh', 'evil\n');
  writeFileSync(join(hooks, 'pre-commit'), 'evil');
  writeFileSync(join(hooks, 'pre-push'), 'evil');
  const expected = [
    ...['changed filter.own.clean', 'changed hooks/pre-push', 'new core.fsmonitor', 'new gpg.program'],
    ...['new hooks/pre-commit', 'new include.path', 'new watch.sh'],
  ];
  assert.deepEqual((await changes(folder)).sort(), expected);
  assert.deepEqual(
    (await known.placesOf([folder])).map(({ top }) => top),
    [folder],
  );
  // A session that begins later, in another window, can't make them known.
  await known.begin(folder);
  assert.equal((await changes(folder)).length, expected.length);
  await known.agree((await known.stateOf(folder))!);
  assert.deepEqual(await changes(folder), []);
  repository.write('more', '[gpg]\n\tprogram = y\n');
  assert.deepEqual(await changes(folder), ['changed gpg.program']);
});

test('lists hooks that the repository keeps among its files', needsGit, async (t) => {
  const repository = new GitRepository(t);
  const { folder } = repository;
  repository.git('config', 'core.hooksPath', '.husky/_');
  repository.write('.husky/_/pre-commit', '. h\n');
  repository.write('.husky/pre-commit', 'npm test\n');
  const { known, changes } = knownIn(t);
  await known.begin(folder);
  repository.write('.husky/pre-commit', 'evil\n');
  repository.write('.husky/_/commit-msg', 'evil\n');
  assert.deepEqual(await changes(folder), ['new .husky/_/commit-msg', 'changed .husky/pre-commit']);
});

test('a worktree shares what is known, and has its own files', needsGit, async (t) => {
  const repository = new GitRepository(t);
  repository.write('hooks/pre-commit', 'one\n');
  repository.git('config', 'core.hooksPath', 'hooks');
  repository.commit();
  const tree = join(repository.around, 'tree');
  repository.git('worktree', 'add', '--quiet', '-b', 'other', tree);
  repository.write('hooks/pre-commit', 'two\n', tree);
  const { known, changes } = knownIn(t);
  await known.begin(tree);
  assert.deepEqual(await changes(repository.folder), [], 'The user has other hooks on the own branch.');
  repository.git('config', 'core.fsmonitor', 'x');
  assert.deepEqual(await changes(repository.folder), ['new core.fsmonitor']);
  writeFileSync(join(tree, '.git'), `gitdir: ${join(tree, 'evil')}\n`);
  execFileSync('git', ['init', '--quiet', '--bare', join(tree, 'evil')]);
  const names = await changes(tree);
  assert.ok(names.includes('changed .git'), names.join());
});

test('a repository that a session put in place of another is new', needsGit, async (t) => {
  const repository = new GitRepository(t);
  repository.git('config', 'core.pager', 'less');
  const { known, changes } = knownIn(t);
  const inner = join(repository.folder, 'packages', 'web');
  mkdirSync(inner, { recursive: true });
  await known.begin(inner);
  assert.deepEqual(await changes(inner), []);
  execFileSync('git', ['init', '--quiet', inner]);
  appendFileSync(join(inner, '.git/config'), '[core]\n\tfsmonitor = x\n');
  assert.deepEqual(await changes(inner), ['new core.fsmonitor']);
  // Not even a later session makes it known.
  await known.begin(inner);
  assert.deepEqual(await changes(inner), ['new core.fsmonitor']);
  renameSync(join(inner, '.git'), join(inner, 'git'));
  assert.deepEqual(await changes(inner), []);
  writeFileSync(join(inner, '.git'), 'gitdir: git\n');
  assert.deepEqual(await changes(inner), ['new .git', 'new core.fsmonitor']);
  assert.deepEqual(await known.placesOf([inner]), [], 'No sandbox gets the folder that it leads to.');
});

for (const way of waysIn) {
  test(`the user’s git asks before it starts what came by ${way}`, { ...posixOnly, ...needsGit }, async (t) => {
    const repository = new StartingRepository(t, way);
    const memory = programMemory(tempFolder(t));
    await memory.keepFolder(repository.folder);
    const state = await new KnownPrograms(memory).stateOf(repository.inner);
    assert.ok((state?.changed.length ?? 0) > 0, 'It differs.');
    // Without what the repository names, nothing of it starts.
    for (const args of [
      ['status', '--ignore-submodules=all'],
      ['add', '--', 'new.txt'],
      ['commit', '--only', '-m', 'x', '--', 'new.txt'],
    ]) {
      await fullGit(repository.inner, ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { programs: 'own' });
      assert.equal(repository.started(), '', args.join(' '));
    }
  });
}
