import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fixWorktree } from '../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit, posixOnly, windowsOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { removeRest, removeWorktree, restoreWorktree, saveWorktree } from './endWorktree';
import { ownWorktrees, sizeOf } from '../made/worktreeList';
import { lossOf, savedLossOf } from './worktreeLoss';
import type { WorktreeRecord } from '../made/worktreeRecord';

/** A repository with a worktree in which an agent has worked. */
async function worked(t: TestContext) {
  const repository = new GitRepository(t);
  repository.write('a.txt', 'one\n');
  repository.write('.gitignore', '.env\n');
  repository.commit();
  const { record, common } = await fixWorktree(repository);
  repository.write('done.txt', 'done\n', record.path);
  repository.commit('Work', record.path);
  repository.write('a.txt', 'two\n', record.path);
  repository.write('new.txt', 'new\n', record.path);
  repository.write('.env', 'KEY\n', record.path);
  return { repository, common, record };
}

/** The ignored file that the user has seen. */
const seen = { ignored: ['.env'] };

async function own(common: string, { id }: WorktreeRecord) {
  return (await ownWorktrees(common)).find(({ record }) => record.id === id);
}

async function lossIn(common: string, record: WorktreeRecord) {
  const listed = (await own(common, record))?.listed;
  assert.ok(listed);
  return lossOf({ record, listed });
}

test('finds out what would be lost', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  const loss = {
    uncommitted: ['a.txt', 'new.txt'],
    overlooked: [],
    ignored: ['.env'],
    repositories: [],
    detached: 0,
    unmerged: 1,
    unpushed: 0,
    tip: repository.git('rev-parse', record.branch),
  };
  assert.deepEqual(await lossIn(common, record), loss);
  repository.git('remote', 'add', 'origin', 'nowhere');
  assert.equal((await lossIn(common, record)).unpushed, 2);
  repository.git('update-ref', 'refs/remotes/origin/fix', record.branch);
  repository.git('merge', '--quiet', record.branch);
  assert.deepEqual(await lossIn(common, record), { ...loss, unmerged: 0 });
  assert.ok((await sizeOf(record.path, new AbortController().signal)) > 10);
});

test('lists only worktrees that Parley made', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  repository.git('worktree', 'add', '--quiet', '-b', 'mine', join(repository.around, 'mine'));
  const all = await ownWorktrees(common);
  assert.deepEqual(
    all.map((one) => [one.record.id, one.listed?.branch]),
    [[record.id, 'parley/fix']],
  );
  rmSync(record.path, { recursive: true });
  assert.deepEqual(await ownWorktrees(common), []);
});

test('removes a worktree, and its branch only on request', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  await removeWorktree(common, record, await lossIn(common, record), false);
  assert.equal(repository.has('', record.path), false);
  assert.equal(repository.git('show', `${record.branch}:done.txt`), 'done');
  assert.equal(repository.git('for-each-ref', 'refs/parley'), '');
  assert.deepEqual(await ownWorktrees(common), []);
  const second = await worked(t);
  await removeWorktree(second.common, second.record, await lossIn(second.common, second.record), true);
  assert.equal(second.repository.git('branch', '--list', 'parley/*'), '');
});

test('removes nothing if there is more to lose than was shown', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  const shown = await lossIn(common, record);
  repository.write('later.txt', 'later\n', record.path);
  await assert.rejects(removeWorktree(common, record, shown, true), /changed in the meantime/);
  assert.equal(repository.read('later.txt', record.path), 'later\n');
});

test('removes nothing if there are more commits than were shown', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  const shown = await lossIn(common, record);
  repository.commit('Later', record.path);
  await assert.rejects(removeWorktree(common, record, shown, true), /changed in the meantime/);
  assert.equal(repository.git('log', '-1', '--format=%s', record.branch), 'Later');
  assert.ok(repository.has('new.txt', record.path));
});

test('never deletes a branch that the user began in the worktree', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  repository.gitIn(record.path, 'switch', '--quiet', '--create', 'mine');
  await removeWorktree(common, record, await lossIn(common, record), true);
  assert.ok(!repository.has('', record.path));
  assert.equal(repository.git('show', 'mine:done.txt'), 'done');
  assert.equal(repository.git('show', 'parley/fix:done.txt'), 'done');
});

test('never removes or saves a locked worktree', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  repository.git('worktree', 'lock', '--reason', 'on a stick', record.path);
  const shown = await lossIn(common, record);
  await assert.rejects(removeWorktree(common, record, shown, true), /locked \(on a stick\).*git worktree unlock/);
  await assert.rejects(saveWorktree(common, record, 'Save', seen), /locked/);
  assert.equal(repository.read('new.txt', record.path), 'new\n');
  assert.equal(repository.git('log', '-1', '--format=%s', record.branch), 'Work');
});

test('removes what git leaves of a folder and forgets', posixOnly, async (t) => {
  const { repository, common, record } = await worked(t);
  // As on Windows, where a program may use a file in the folder.
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const bin = join(repository.around, 'bin');
  repository.write(
    'git',
    `#!/bin/sh
case "$*" in *"worktree remove"*)
  for at; do :; done
  rm -rf "$("${real}" -C "$at" rev-parse --git-dir)" "$at/a.txt"
  echo "failed to delete '$at'" >&2
  exit 255
esac
exec "${real}" "$@"
`,
    bin,
  );
  chmodSync(join(bin, 'git'), 0o755);
  const path = process.env['PATH'];
  process.env['PATH'] = `${bin}:${path}`;
  t.after(() => (process.env['PATH'] = path));
  await removeWorktree(common, record, await lossIn(common, record), true);
  assert.equal(repository.has('', record.path), false);
  assert.equal(repository.git('branch', '--list', 'parley/*'), '');
  assert.deepEqual(await ownWorktrees(common), []);
});

test('says which folder a program keeps from being removed', windowsOnly, async (t) => {
  const folder = join(tempFolder(t), 'fix');
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src/a.txt'), 'a\n');
  // Windows doesn't remove the folder in which a program runs.
  const program = spawn(process.execPath, ['-e', 'process.send("here"); setInterval(() => {}, 1000)'], {
    cwd: join(folder, 'src'),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(program, 'exit');
  try {
    await once(program, 'message');
    await assert.rejects(
      removeRest(folder, { pauses: [1] }),
      ({ message }: Error) => message.includes(folder) && message.includes('Close the programs'),
    );
  } finally {
    program.kill();
    await ended;
  }
  await removeRest(folder);
  assert.equal(existsSync(folder), false);
});

test('saves a worktree on its branch and brings it back unchanged', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  const before = repository.status(record.path);
  const saved = await saveWorktree(common, record, 'Saved by Parley', seen);
  assert.equal(repository.has('', record.path), false);
  assert.equal(repository.git('show', `${record.branch}:new.txt`), 'new');
  assert.equal((await own(common, record))?.listed, undefined);
  assert.equal((await savedLossOf(common, saved)).unmerged, 2);
  const back = await restoreWorktree(common, saved);
  assert.deepEqual(repository.status(record.path), before);
  assert.equal(repository.read('a.txt', record.path), 'two\n');
  assert.equal(repository.gitIn(record.path, 'log', '-1', '--format=%s'), 'Work');
  assert.deepEqual(back, { record, notes: [] });
});

test('keeps what was staged before it changed again', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  repository.write('new.txt', 'staged\n', record.path);
  repository.gitIn(record.path, 'add', 'new.txt');
  repository.write('new.txt', 'later\n', record.path);
  const before = repository.status(record.path);
  const saved = await saveWorktree(common, record, 'Saved by Parley', seen);
  assert.equal(repository.git('show', `refs/parley/staged/${record.id}:new.txt`), 'staged');
  assert.equal((await savedLossOf(common, saved)).detached, 1);
  await restoreWorktree(common, saved);
  assert.deepEqual(repository.status(record.path), before);
  assert.equal(repository.gitIn(record.path, 'show', ':new.txt'), 'staged');
  assert.equal(repository.git('for-each-ref', 'refs/parley/staged'), '');
});

test('brings back a worktree without its branch or beside newer commits', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  const saved = await saveWorktree(common, record, 'Saved by Parley', seen);
  repository.git('branch', '--quiet', '-D', record.branch);
  await restoreWorktree(common, saved);
  assert.equal(repository.read('new.txt', record.path), 'new\n');
  const again = await saveWorktree(common, record, 'Saved by Parley', seen);
  repository.git('switch', '--quiet', record.branch);
  repository.write('more.txt', 'more\n');
  repository.commit('More');
  repository.git('switch', '--quiet', 'main');
  await restoreWorktree(common, again);
  assert.deepEqual(repository.status(record.path), []);
  assert.equal(repository.gitIn(record.path, 'log', '-1', '--format=%s'), 'More');
});

test('says where the branch of a saved worktree is in use', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  const saved = await saveWorktree(common, record, 'Saved by Parley', seen);
  repository.git('switch', '--quiet', record.branch);
  await assert.rejects(restoreWorktree(common, saved), /Git reported: .*shop'\. Switch to another branch there/s);
  assert.equal(repository.has('', record.path), false);
  repository.git('switch', '--quiet', 'main');
  await restoreWorktree(common, saved);
  assert.equal(repository.read('new.txt', record.path), 'new\n');
});

test('gives a detached worktree a branch before it is saved', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  repository.gitIn(record.path, 'checkout', '--quiet', '--detach');
  const saved = await saveWorktree(common, record, 'Saved by Parley', seen);
  assert.equal(saved.branch, 'parley/fix-2');
  assert.equal(repository.git('show', 'parley/fix-2:new.txt'), 'new');
});

test('saves nothing in the middle of a merge', needsGit, async (t) => {
  const { repository, common, record } = await worked(t);
  repository.write('a.txt', 'three\n');
  repository.commit('Three');
  repository.commit('Two', record.path);
  assert.throws(() => repository.gitIn(record.path, 'merge', 'main'));
  await assert.rejects(saveWorktree(common, record, 'Save', seen), /isn’t finished.*Finish or abort/);
  assert.equal(repository.has('a.txt', record.path), true);
});

test('saves nothing while a submodule has changes', needsGit, async (t) => {
  const inner = (await worked(t)).repository;
  const { repository, common, record } = await worked(t);
  const module = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'vendor'];
  repository.gitIn(record.path, ...module);
  repository.write('vendor/a.txt', 'changed\n', record.path);
  await assert.rejects(saveWorktree(common, record, 'Save', seen), /vendor has changes that can’t be committed here/);
  assert.equal(repository.read('vendor/a.txt', record.path), 'changed\n');
});
