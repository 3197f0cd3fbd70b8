import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import * as vscode from 'vscode';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import { createWorktree } from '../../worktree/made/createWorktree';
import { openRepository } from '../../worktree/repository/repository';
import { fileRootsWith, isInRoots, pathInFolder, rootsBeside, workspacePath } from './folders';

beforeEach(() => editor.reset());

/** A window on a repository and another folder, and a worktree of the repository. */
async function open(t: TestContext) {
  const repository = new GitRepository(t);
  repository.write('src/a.ts', 'a\n');
  repository.commit();
  const other = join(repository.around, 'other');
  editor.folders = [repository.folder, other];
  const path = join(repository.around, 'fix');
  const request = { base: undefined, branch: 'parley/fix', path, changes: [], ignored: [] };
  await createWorktree(await openRepository(repository.folder), request, 5);
  return { roots: editor.folders, folder: repository.folder, other, path };
}

test('a worktree replaces its repository among a session’s folders', needsGit, async (t) => {
  const { roots, folder, other, path } = await open(t);
  assert.deepEqual(rootsBeside(folder, roots), roots);
  assert.deepEqual(rootsBeside(join(path, 'src'), roots), [other]);
  assert.deepEqual(rootsBeside(path, [join(folder, 'src'), other]), [other]);
});

test('files are read and written in a session’s own worktree', needsGit, async (t) => {
  const { roots, folder, path } = await open(t);
  assert.deepEqual(fileRootsWith(folder), roots);
  assert.deepEqual(fileRootsWith(path), [...roots, path]);
});

test('a worktree’s files are shown after its name', needsGit, async (t) => {
  const { folder, other, path } = await open(t);
  const file = vscode.Uri.file(join(path, 'src', 'a.ts'));
  assert.equal(workspacePath(file), 'fix/src/a.ts');
  assert.equal(pathInFolder(file), 'src/a.ts');
  assert.ok(isInRoots(file));
  assert.ok(isInRoots(vscode.Uri.file(join(folder, 'src', 'a.ts'))));
  assert.ok(!isInRoots(vscode.Uri.file(`${other}2/a.ts`)));
});
