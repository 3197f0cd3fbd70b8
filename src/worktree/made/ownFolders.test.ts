import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fixWorktree } from '../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { removeWorktree, restoreWorktree, saveWorktree } from '../end/endWorktree';
import { ownWorktrees } from './worktreeList';
import { lossOf, savedLossOf } from '../end/worktreeLoss';
import { writeRecord, type WorktreeRecord } from './worktreeRecord';

/** A repository with a worktree of Parley's, and another repository of the user beside it. */
async function start(t: TestContext) {
  const repository = new GitRepository(t);
  repository.write('a.txt', 'one\n');
  repository.commit();
  const mine = join(repository.around, 'mine');
  repository.git('init', '--quiet', mine);
  repository.write('only.txt', 'only\n', mine);
  const { record, common } = await fixWorktree(repository);
  const loss = async (of: WorktreeRecord = record) => {
    const listed = (await ownWorktrees(common)).find((one) => one.record.id === of.id)?.listed;
    return listed ? lossOf({ record: of, listed }) : savedLossOf(common, of);
  };
  return { repository, common, record, mine, loss };
}

test('never removes a repository of the user that an agent names', needsGit, async (t) => {
  const { repository, common, record, mine, loss } = await start(t);
  // What an agent can write: an entry among Git's worktrees, and a note of Parley's.
  const entry = join(common, 'worktrees', 'mine');
  mkdirSync(entry);
  writeFileSync(join(entry, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(entry, 'commondir'), '../..\n');
  writeFileSync(join(entry, 'gitdir'), `${join(mine, '.git')}\n`);
  const forged = { ...record, id: 'abcdefabcdef', path: mine };
  await writeRecord({ common }, forged);
  const seen = await loss(forged);
  await assert.rejects(removeWorktree(common, forged, seen, false), /can’t tell that it made .*git worktree remove/);
  rmSync(entry, { recursive: true });
  await assert.rejects(removeWorktree(common, forged, seen, false), /no longer lists the worktree/);
  // The note of a worktree that Parley made, with another path.
  await assert.rejects(removeWorktree(common, { ...record, path: mine }, seen, true), /no longer lists/);
  assert.equal(repository.read('only.txt', mine), 'only\n');
  assert.ok(repository.has('.git/HEAD', mine));
});

test('never removes a folder that took the place of the worktree', needsGit, async (t) => {
  const { repository, common, record, mine, loss } = await start(t);
  const seen = await loss();
  const link = readFileSync(join(record.path, '.git'));
  renameSync(record.path, `${record.path}-away`);
  rmSync(join(mine, '.git'), { recursive: true });
  renameSync(mine, record.path);
  writeFileSync(join(record.path, '.git'), link);
  await assert.rejects(removeWorktree(common, record, seen, true), /is no longer the folder that Parley made/);
  await assert.rejects(saveWorktree(common, record, 'Save', seen), /is no longer the folder that Parley made/);
  assert.equal(repository.read('only.txt', record.path), 'only\n');
});

test('never deletes a branch of the user that a note names', needsGit, async (t) => {
  const { repository, common, record, loss } = await start(t);
  repository.git('branch', 'feature');
  const commit = repository.git('rev-parse', 'feature');
  const forged = { ...record, id: 'abcdefabcdef', path: `${record.path}-2`, branch: 'feature' };
  const saved = { ...forged, saved: { commit, before: commit } };
  await writeRecord({ common }, saved);
  await assert.rejects(removeWorktree(common, saved, await loss(saved), true), /made the branch “feature”/);
  const renamed = { ...record, branch: 'feature' };
  await assert.rejects(
    removeWorktree(common, renamed, await loss(renamed), true).then(() => repository.git('rev-parse', 'feature^')),
  );
  assert.equal(repository.git('rev-parse', 'feature'), commit);
});

test('removes a worktree that was brought back', needsGit, async (t) => {
  const { repository, common, record, loss } = await start(t);
  repository.write('new.txt', 'new\n', record.path);
  const saved = await saveWorktree(common, record, 'Save', { ignored: [] });
  const { record: back } = await restoreWorktree(common, saved);
  await removeWorktree(common, back, await loss(back), true);
  assert.ok(!repository.has('', record.path));
  assert.equal(repository.git('branch', '--list', 'parley/*'), '');
});
