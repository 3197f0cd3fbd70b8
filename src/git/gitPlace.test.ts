import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GitRepository } from '../../test/unit-support/gitRepository';
import { needsGit, posixOnly } from '../../test/unit-support/platform';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { gitPlaceOf } from './gitPlace';

test('finds repositories, worktrees, and bare ones where git does', needsGit, async (t) => {
  const repository = new GitRepository(t);
  const { folder, around } = repository;
  repository.write('src/a.txt', 'a');
  repository.commit();
  const common = join(folder, '.git');
  assert.deepEqual(await gitPlaceOf(join(folder, 'src')), { top: folder, gitFolder: common, common });
  assert.deepEqual(await gitPlaceOf(common), { top: undefined, gitFolder: common, common });
  const tree = join(around, 'tree');
  repository.git('worktree', 'add', '--quiet', '--detach', tree);
  assert.deepEqual(await gitPlaceOf(tree), { top: tree, gitFolder: join(common, 'worktrees/tree'), common });
  const bare = join(around, 'bare');
  repository.git('init', '--quiet', '--bare', bare);
  assert.deepEqual(await gitPlaceOf(bare), { top: undefined, gitFolder: bare, common: bare });
  assert.equal(await gitPlaceOf(join(around, 'nowhere')), undefined);
});

test('finds no repository where git finds none', needsGit, async (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'a/.git/objects'), { recursive: true });
  assert.equal(await gitPlaceOf(join(folder, 'a')), undefined);
  mkdirSync(join(folder, 'b'));
  for (const text of ['gitdir: nowhere\n', 'nothing', 'x'.repeat(20_000)]) {
    writeFileSync(join(folder, 'b/.git'), text);
    assert.equal(await gitPlaceOf(join(folder, 'b')), undefined);
  }
});

test('never waits for a pipe in place of a file', { ...posixOnly, ...needsGit }, async (t) => {
  const repository = new GitRepository(t);
  const common = join(repository.folder, '.git');
  execFileSync('mkfifo', [join(common, 'commondir')]);
  assert.equal((await gitPlaceOf(repository.folder))?.common, common);
  rmSync(join(common, 'HEAD'));
  execFileSync('mkfifo', [join(common, 'HEAD')]);
  assert.equal(await gitPlaceOf(repository.folder), undefined);
  rmSync(join(common, 'HEAD'));
  symlinkSync('refs/heads/main', join(common, 'HEAD'));
  assert.equal((await gitPlaceOf(repository.folder))?.common, common);
});
