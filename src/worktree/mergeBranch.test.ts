import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fixWorktree } from '../../test/unit-support/fixWorktree';
import { GitRepository } from '../../test/unit-support/gitRepository';
import { needsGit } from '../../test/unit-support/platform';
import { mergeBranch } from './mergeBranch';
import { WorktreeProblem } from './worktreeProblem';

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
  return { repository, work, merge: () => mergeBranch(worktree, root) };
}

test('merges the commits of a worktree’s branch', needsGit, async (t) => {
  const { repository, work, merge } = await start(t);
  assert.deepEqual(await merge(), { kind: 'current' });
  work('agent\n');
  repository.write('b.txt', 'mine\n');
  assert.deepEqual(await merge(), { kind: 'merged' });
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
