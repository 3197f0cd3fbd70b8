import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fixWorktree } from '../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit, posixOnly } from '../../../test/unit-support/platform';
import { mergeBranch } from './mergeBranch';
import { WorktreeProblem } from '../repository/worktreeProblem';

async function start(t: TestContext) {
  const repository = new GitRepository(t);
  repository.write('a.txt', 'a\n');
  repository.write('b.txt', 'b\n');
  repository.commit();
  const worktree = await fixWorktree(repository);
  const { path } = worktree.record;
  const root = repository.folder;
  const work = (text: string) => {
    repository.write('a.txt', text, path);
    repository.commit('Work', path);
  };
  return { repository, path, work, merge: () => mergeBranch(worktree, root) };
}

const rest = { files: [], commits: 0 };

/** Makes both sides change the same line. */
function bothChange({ repository, work }: Awaited<ReturnType<typeof start>>): void {
  work('agent\n');
  repository.write('a.txt', 'mine\n');
  repository.commit('Mine');
}

/** Makes both sides change another file, so that a merge needs a commit. */
function bothWork({ repository, work }: Awaited<ReturnType<typeof start>>): void {
  work('agent\n');
  repository.write('b.txt', 'mine\n');
  repository.commit('Mine');
}

test('merges the commits of a worktree’s branch', needsGit, async (t) => {
  const { repository, work, merge } = await start(t);
  assert.deepEqual(await merge(), { kind: 'current', rest });
  work('agent\n');
  repository.write('b.txt', 'mine\n');
  assert.deepEqual(await merge(), { kind: 'merged', rest, conflicts: [] });
  assert.equal(repository.read('a.txt'), 'agent\n');
  assert.deepEqual(repository.status(), [' M b.txt']);
});

test('leaves conflicts to the user, in git', needsGit, async (t) => {
  const { repository, work, merge } = await start(t);
  work('agent\n');
  repository.write('a.txt', 'mine\n');
  repository.commit('Mine');
  assert.deepEqual(await merge(), { kind: 'conflict', paths: ['a.txt'] });
  assert.deepEqual(repository.status(), ['UU a.txt']);
});

test('says why git refuses, and changes nothing', needsGit, async (t) => {
  const { repository, work, merge } = await start(t);
  work('agent\n');
  repository.write('a.txt', 'mine\n');
  await assert.rejects(merge(), (error) => {
    assert.ok(error instanceof WorktreeProblem);
    assert.match(
      error.message,
      /^Couldn’t merge “parley\/fix”, so nothing was changed\. Git reported: .*a\.txt\. Commit these files/s,
    );
    return true;
  });
  assert.equal(repository.read('a.txt'), 'mine\n');
  assert.deepEqual(repository.status(), [' M a.txt']);
});

test('says that a merge is there although a hook refused its commit', posixOnly, async (t) => {
  const scene = await start(t);
  const { repository, merge } = scene;
  bothWork(scene);
  repository.write('.git/hooks/commit-msg', '#!/bin/sh\necho "Name a ticket" >&2\nexit 1\n');
  chmodSync(join(repository.folder, '.git/hooks/commit-msg'), 0o755);
  const merged = await merge();
  assert.equal(merged.kind, 'uncommitted');
  assert.match(merged.words, /Name a ticket/);
  assert.equal(repository.read('a.txt'), 'agent\n');
  repository.git('merge', '--abort');
  assert.equal(repository.read('a.txt'), 'a\n');
});

test('says that a merge is there although it couldn’t be signed', needsGit, async (t) => {
  const scene = await start(t);
  const { repository, merge } = scene;
  bothWork(scene);
  repository.git('config', 'commit.gpgSign', 'true');
  repository.git('config', 'gpg.program', 'no-such-program');
  assert.equal((await merge()).kind, 'uncommitted');
  assert.ok(repository.has('.git/MERGE_HEAD'));
});

test('a merge whose conflicts Git resolved itself waits for its commit', needsGit, async (t) => {
  const scene = await start(t);
  const { repository, merge } = scene;
  bothChange(scene);
  repository.git('config', 'rerere.enabled', 'true');
  repository.git('config', 'rerere.autoUpdate', 'true');
  assert.equal((await merge()).kind, 'conflict');
  repository.write('a.txt', 'both\n');
  repository.git('add', 'a.txt');
  repository.git('commit', '--quiet', '--no-edit');
  repository.git('reset', '--quiet', '--hard', 'HEAD^');
  assert.equal((await merge()).kind, 'uncommitted');
  assert.equal(repository.read('a.txt'), 'both\n');
});

test('says what a merge has changed that Git doesn’t commit', needsGit, async (t) => {
  const scene = await start(t);
  const { repository, merge } = scene;
  bothWork(scene);
  repository.git('config', 'branch.main.mergeOptions', '--squash');
  await assert.rejects(merge(), /didn’t complete the merge of “parley\/fix”, but changed a\.txt\..*git reset --merge/);
  repository.git('reset', '--quiet', '--merge');
  repository.git('config', 'branch.main.mergeOptions', '--no-commit');
  assert.deepEqual((await merge()).kind, 'uncommitted');
});

test('lists what the branch of a worktree doesn’t have', needsGit, async (t) => {
  const { repository, path, merge } = await start(t);
  repository.write('new.txt', 'new\n', path);
  assert.deepEqual(await merge(), { kind: 'current', rest: { files: ['new.txt'], commits: 0 } });
  repository.gitIn(path, 'checkout', '--quiet', '--detach');
  repository.commit('Detached', path);
  assert.deepEqual(await merge(), { kind: 'current', rest: { files: [], commits: 1 } });
});

test('merges the branch also if a tag has its name', needsGit, async (t) => {
  const scene = await start(t);
  const { repository, merge } = scene;
  repository.git('tag', 'parley/fix');
  bothWork(scene);
  assert.equal((await merge()).kind, 'merged');
  assert.equal(repository.read('a.txt'), 'agent\n');
});

test('lists uncommitted files that conflict with what was merged', needsGit, async (t) => {
  const { repository, work, merge } = await start(t);
  work('agent\n');
  repository.git('config', 'merge.autoStash', 'true');
  repository.write('a.txt', 'mine\n');
  assert.deepEqual(await merge(), { kind: 'merged', rest, conflicts: ['a.txt'] });
  assert.equal(repository.git('show', 'stash@{0}:a.txt'), 'mine');
});
