import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fixWorktree } from '../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { removeWorktree, saveWorktree } from './endWorktree';
import { ownWorktrees } from '../made/worktreeList';
import { lossOf } from './worktreeLoss';

/** A repository with a worktree that has three commits on its branch. */
async function start(t: TestContext) {
  const repository = new GitRepository(t);
  repository.write('a.txt', 'one\n');
  repository.write('local.json', '{}\n');
  repository.commit();
  const { record, common } = await fixWorktree(repository);
  const { path } = record;
  for (const name of ['b.txt', 'c.txt', 'd.txt']) {
    repository.write(name, `${name}\n`, path);
    repository.commit(name, path);
  }
  const loss = async () => {
    const listed = (await ownWorktrees(common)).find((one) => one.record.id === record.id)?.listed;
    assert.ok(listed);
    return lossOf({ record, listed });
  };
  const git = (...args: readonly string[]) => repository.gitIn(path, ...args);
  return { repository, common, record, path, loss, git };
}

test('counts the branch’s commits while an older one is checked out', needsGit, async (t) => {
  const { repository, common, record, loss, git } = await start(t);
  git('checkout', '--quiet', '--detach', 'HEAD~3');
  const seen = await loss();
  assert.deepEqual([seen.unmerged, seen.detached], [3, 0]);
  await assert.rejects(removeWorktree(common, record, { ...seen, unmerged: 0 }, true), /changed in the meantime/);
  assert.equal(repository.git('rev-list', '--count', `main..${record.branch}`), '3');
  await removeWorktree(common, record, seen, true);
  assert.equal(repository.git('branch', '--list', 'parley/*'), '');
});

test('counts commits that only a detached head or a rebase has', needsGit, async (t) => {
  const { repository, common, record, path, loss, git } = await start(t);
  repository.write('a.txt', 'rebased\n');
  repository.commit('Beside');
  git('checkout', '--quiet', '--detach');
  repository.commit('No branch has it', (repository.write('e.txt', 'e\n', path), path));
  const seen = await loss();
  assert.deepEqual([seen.unmerged, seen.detached], [3, 1]);
  await assert.rejects(removeWorktree(common, record, { ...seen, detached: 0 }, false), /changed in the meantime/);
  git('switch', '--quiet', record.branch);
  repository.write('a.txt', 'set aside\n', path);
  // What wasn't committed is in a commit of the rebase until it ends.
  assert.throws(() => git('rebase', '--quiet', '--autostash', '--exec', 'false', 'main'));
  assert.ok((await loss()).detached >= 2);
  git('rebase', '--abort');
  assert.equal(repository.read('a.txt', path), 'set aside\n');
});

test('deletes no branch that has got commits since they were counted', needsGit, async (t) => {
  const { repository, common, record, path, loss, git } = await start(t);
  const seen = await loss();
  const commit = git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'Later');
  git('update-ref', 'refs/heads/parley/fix', commit);
  await assert.rejects(removeWorktree(common, record, seen, true), /changed in the meantime/);
  assert.equal(repository.git('rev-parse', record.branch), commit);
  assert.ok(repository.has('', path));
});

test('an answer that Git doesn’t give isn’t nothing to lose', needsGit, async (t) => {
  const { repository, loss } = await start(t);
  repository.write('.git/refs/heads/broken', `${'1'.repeat(40)}\n`);
  await assert.rejects(loss(), /Couldn’t read what the worktree has/);
});

test('names changes that Git was told to overlook, and saves none', needsGit, async (t) => {
  const { repository, common, record, path, loss, git } = await start(t);
  git('update-index', '--skip-worktree', 'local.json');
  git('update-index', '--assume-unchanged', 'a.txt');
  assert.deepEqual((await loss()).overlooked, []);
  repository.write('local.json', '{"key":1}\n', path);
  repository.write('a.txt', 'two\n', path);
  const seen = await loss();
  assert.deepEqual([seen.uncommitted, seen.overlooked], [[], ['a.txt', 'local.json']]);
  await assert.rejects(removeWorktree(common, record, { ...seen, overlooked: ['a.txt'] }, true), /in the meantime/);
  await assert.rejects(saveWorktree(common, record, 'Save', seen), /a\.txt has changes that Git was told to overlook/);
  assert.equal(repository.read('local.json', path), '{"key":1}\n');
  git('update-index', '--no-assume-unchanged', 'a.txt');
  git('update-index', '--no-skip-worktree', 'local.json');
  await saveWorktree(common, record, 'Save', await loss());
  assert.equal(repository.git('show', `${record.branch}:local.json`), '{"key":1}');
});

test('saves a worktree whose changes a filter takes away', needsGit, async (t) => {
  const { repository, common, record, path, loss, git } = await start(t);
  git('config', 'filter.fixed.clean', 'printf one\\\\n');
  repository.write('.gitattributes', 'a.txt filter=fixed\n', path);
  repository.commit('Filter', path);
  repository.write('a.txt', 'other\n', path);
  const seen = await loss();
  assert.deepEqual(seen.uncommitted, ['a.txt']);
  const saved = await saveWorktree(common, record, 'Save', seen);
  assert.equal(saved.saved?.commit, saved.saved?.before);
  assert.ok(!repository.has('', path));
});

test('saves no ignored file that the user hasn’t seen', needsGit, async (t) => {
  const { repository, common, record, path, loss } = await start(t);
  repository.write('.gitignore', '.env\n', path);
  const seen = await loss();
  repository.write('.env', 'KEY\n', path);
  await assert.rejects(saveWorktree(common, record, 'Save', seen), /changed in the meantime/);
  assert.equal(repository.read('.env', path), 'KEY\n');
});
