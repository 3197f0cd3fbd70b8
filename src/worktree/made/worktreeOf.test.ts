import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { createWorktree } from './createWorktree';
import { openRepository } from '../repository/repository';
import { writeRecord } from './worktreeRecord';
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
  forgetWorktrees();
  assert.equal(worktreeOf(join(repository.around, 'mine')), undefined);
  repository.git('worktree', 'remove', path);
  forgetWorktrees();
  assert.equal(worktreeOf(join(path, 'src')), undefined);
});

test('finds a worktree by any spelling of its path', async (t) => {
  const around = realpathSync.native(tempFolder(t));
  const [common, path] = [join(around, 'shop', '.git'), join(around, 'shop.worktrees', 'Fix')];
  const own = join(common, 'worktrees', 'Fix');
  for (const folder of [own, join(path, 'src')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(own, 'commondir'), '../..\n');
  // Git writes slashes on Windows, too.
  writeFileSync(join(path, '.git'), `gitdir: ${own.replaceAll('\\', '/')}\n`);
  const [branch, base] = ['parley/fix', 'a'.repeat(40)];
  const record = { id: '0123456789ab', path, branch, base, from: join(around, 'shop'), createdAt: 5 };
  await writeRecord({ common }, record);
  forgetWorktrees();
  assert.deepEqual(worktreeOf(join(path, 'src')), { record, common });
  // The editor writes drives in lower case.
  const spelled = process.platform === 'win32' ? path.toLowerCase() : path;
  const found = worktreeOf(join(spelled, 'src'));
  assert.deepEqual(found, { record, common });
  assert.ok(isInWorktree(found, spelled));
  assert.ok(isInWorktree(found, join(spelled, 'src', 'a.txt')));
});
