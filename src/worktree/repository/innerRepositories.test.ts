import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fixWorktree } from '../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit, posixOnly } from '../../../test/unit-support/platform';
import { removeWorktree, restoreWorktree, saveWorktree } from '../end/endWorktree';
import { keptFolder } from './innerRepositories';
import { worktreeChanges } from '../bring/worktreeChanges';
import { ownWorktrees } from '../made/worktreeList';
import { lossOf } from '../end/worktreeLoss';

const as = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
const fromFile = ['-c', 'protocol.file.allow=always'];

/** A repository with a worktree, in which repositories can be made. */
async function start(t: TestContext) {
  const repository = new GitRepository(t);
  repository.write('a.txt', 'one\n');
  repository.write('.gitignore', 'vendor/\n');
  repository.commit();
  const { record, common } = await fixWorktree(repository);
  const { path } = record;
  const loss = async () => {
    const listed = (await ownWorktrees(common)).find((one) => one.record.id === record.id)?.listed;
    assert.ok(listed);
    return lossOf({ record, listed });
  };
  /** Makes a repository inside the worktree, with a commit and a stash. */
  const make = (name: string) => {
    const folder = join(path, name);
    repository.git('init', '--quiet', folder);
    repository.write('page.txt', 'page\n', folder);
    repository.gitIn(folder, 'add', '--all');
    repository.gitIn(folder, ...as, 'commit', '--quiet', '--message', 'Inside');
    repository.write('page.txt', 'stashed\n', folder);
    repository.gitIn(folder, ...as, 'stash', '--quiet');
    repository.write('new.txt', 'new\n', folder);
    return folder;
  };
  /** Adds a submodule to the worktree, and commits that. */
  const addModule = () => {
    const other = new GitRepository(t, 'other');
    other.write('lib.txt', 'lib\n');
    other.commit();
    repository.gitIn(path, ...fromFile, 'submodule', '--quiet', 'add', other.folder, 'lib');
    repository.commit('Module', path);
    return join(path, 'lib');
  };
  return { repository, common, record, path, loss, make, addModule };
}

test('names repositories inside a worktree before they are deleted', needsGit, async (t) => {
  const { repository, common, record, path, loss, make } = await start(t);
  make('web');
  make('vendor/tool');
  repository.git('init', '--quiet', join(path, 'empty'));
  const seen = await loss();
  const paths = ['empty', 'vendor/tool', 'web'];
  assert.deepEqual(
    seen.repositories,
    paths.map((one) => ({ path: one, kind: 'folder' })),
  );
  const unseen = { ...seen, repositories: seen.repositories.slice(1) };
  await assert.rejects(removeWorktree(common, record, unseen, true), /changed in the meantime/);
  await removeWorktree(common, record, seen, true);
  assert.ok(!existsSync(path));
});

test('keeps repositories inside a saved worktree, and brings them back', needsGit, async (t) => {
  const { repository, common, record, loss, make, path } = await start(t);
  const web = make('web');
  const tool = make('vendor/tool');
  const empty = join(path, 'empty');
  repository.git('init', '--quiet', empty);
  repository.write('draft.txt', 'draft\n', empty);
  const commit = repository.gitIn(web, 'rev-parse', 'HEAD');
  const saved = await saveWorktree(common, record, 'Save', await loss());
  assert.ok(!existsSync(path));
  const kept = keptFolder(common, record.id);
  assert.equal(repository.gitIn(join(kept, 'web'), 'rev-parse', 'HEAD'), commit);
  const { notes } = await restoreWorktree(common, saved);
  assert.deepEqual(notes, []);
  assert.equal(repository.gitIn(web, 'rev-parse', 'HEAD'), commit);
  assert.equal(repository.gitIn(web, 'show', 'stash@{0}:page.txt'), 'stashed');
  assert.equal(repository.read('new.txt', web), 'new\n');
  assert.equal(repository.read('page.txt', tool), 'page\n');
  assert.equal(repository.read('draft.txt', empty), 'draft\n');
});

test('says where repositories are that can’t be put back', needsGit, async (t) => {
  const { repository, common, record, loss, make, path } = await start(t);
  make('web');
  const saved = await saveWorktree(common, record, 'Save', await loss());
  repository.git('switch', '--quiet', record.branch);
  repository.write('web/other.txt', 'other\n');
  repository.commit('In its place');
  repository.git('switch', '--quiet', 'main');
  const { notes } = await restoreWorktree(common, saved);
  assert.deepEqual(notes, [`web couldn’t be put back. It’s in ${keptFolder(common, record.id)}.`]);
  assert.equal(repository.read('web/other.txt', path), 'other\n');
  assert.equal(repository.read('web/new.txt', keptFolder(common, record.id)), 'new\n');
});

test('an empty repository inside a worktree is in nobody’s way', needsGit, async (t) => {
  const { repository, common, record, path, loss } = await start(t);
  repository.git('init', '--quiet', join(path, 'empty'));
  repository.write('a.txt', 'two\n', path);
  const { changes, skipped } = await worktreeChanges({ record });
  assert.deepEqual(
    changes.map((one) => one.path),
    ['a.txt'],
  );
  assert.deepEqual(skipped, [{ path: 'empty', reason: 'repository' }]);
  await saveWorktree(common, record, 'Save', await loss());
  assert.equal(repository.git('show', `${record.branch}:a.txt`), 'two');
});

test('never drops commits or files that only a submodule has', needsGit, async (t) => {
  const { repository, common, record, path, loss, addModule } = await start(t);
  const lib = addModule();
  assert.deepEqual((await loss()).repositories, []);
  repository.write('local.txt', 'local\n', lib);
  assert.deepEqual((await loss()).repositories, [{ path: 'lib', kind: 'submodule' }]);
  repository.gitIn(lib, 'add', '--all');
  repository.gitIn(lib, ...as, 'commit', '--quiet', '--message', 'Only here');
  // The branch has only a link to the commit.
  repository.commit('Link', path);
  const seen = await loss();
  assert.deepEqual(seen.repositories, [{ path: 'lib', kind: 'submodule' }]);
  await assert.rejects(saveWorktree(common, record, 'Save', seen), /lib has changes.*push the commits/);
  repository.gitIn(lib, 'reset', '--quiet', '--hard', 'HEAD^');
  repository.write('lib.txt', 'stash\n', lib);
  repository.gitIn(lib, ...as, 'stash', '--quiet');
  await assert.rejects(saveWorktree(common, record, 'Save', await loss()), /lib has changes/);
  repository.gitIn(lib, 'stash', 'drop', '--quiet');
  await saveWorktree(common, record, 'Save', await loss());
  assert.match(repository.git('ls-tree', record.branch, 'lib'), /^160000/);
});

test('refuses to save a worktree that another one is inside of', needsGit, async (t) => {
  const { repository, common, record, path, loss } = await start(t);
  repository.gitIn(path, 'worktree', 'add', '--quiet', '-b', 'inner', 'inner');
  repository.write('inner/new.txt', 'new\n', path);
  assert.deepEqual((await loss()).repositories, [{ path: 'inner', kind: 'elsewhere' }]);
  await assert.rejects(saveWorktree(common, record, 'Save', await loss()), /inner is a worktree or a repository/);
  assert.equal(repository.read('inner/new.txt', path), 'new\n');
});

test('starts nothing that is configured in a repository inside', posixOnly, async (t) => {
  const { repository, common, record, loss, make, addModule, path } = await start(t);
  const lib = addModule();
  const proof = join(repository.around, 'proof');
  repository.write('run.sh', `#!/bin/sh\necho "$0 $*" >> ${proof}\n`, repository.around);
  const run = join(repository.around, 'run.sh');
  chmodSync(run, 0o755);
  for (const folder of [make('web'), lib]) {
    const git = (...args: readonly string[]) => repository.gitIn(folder, ...args);
    git('config', 'filter.x.clean', run);
    repository.write('.git-attributes', '* filter=x\n', repository.around);
    git('config', 'core.attributesFile', join(repository.around, '.git-attributes'));
    git('config', 'core.fsmonitor', run);
    git('config', 'core.hooksPath', repository.around);
  }
  repository.write('page.txt', 'other\n', join(path, 'web'));
  const started = () => (existsSync(proof) ? readFileSync(proof, 'utf8') : '');
  const seen = await loss();
  assert.equal(started(), '');
  await worktreeChanges({ record });
  assert.equal(started(), '');
  await saveWorktree(common, record, 'Save', seen);
  assert.equal(started(), '');
});
