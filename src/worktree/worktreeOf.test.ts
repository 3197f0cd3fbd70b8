import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { GitRepository } from '../../test/unit-support/gitRepository';
import { needsGit } from '../../test/unit-support/platform';
import { createWorktree } from './createWorktree';
import { openRepository } from './repository';
import { forgetWorktrees, isInWorktree, worktreeOf } from './worktreeOf';

test('finds the worktree of a folder only if Parley made it', needsGit, async (t) => {
  const repository = new GitRepository(t);
  repository.write('src/a.txt', 'a\n');
  repository.commit();
  repository.git('worktree', 'add', '--quiet', join(repository.around, 'mine'));
  assert.equal(worktreeOf(join(repository.around, 'mine')), undefined);
  assert.equal(worktreeOf(repository.folder), undefined);
  const path = join(repository.around, 'fix');
  assert.equal(worktreeOf(path), undefined);
  const opened = await openRepository(repository.folder);
  const request = { base: undefined, branch: 'parley/fix', path, changes: [], ignored: [] };
  const { record } = await createWorktree(opened, request, 5);
  const found = worktreeOf(join(path, 'src'));
  assert.deepEqual(found, { record, common: opened.common });
  assert.ok(isInWorktree(found, join(path, 'src/a.txt')));
  assert.ok(!isInWorktree(found, `${path}2`));
  repository.git('worktree', 'remove', path);
  forgetWorktrees();
  assert.equal(worktreeOf(join(path, 'src')), undefined);
});
