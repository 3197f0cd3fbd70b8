import type { TestContext } from 'node:test';
import { GitRepository } from './gitRepository';
import { editor } from './vscode';
import { createWorktree, suggestPlace } from '../../src/worktree/made/createWorktree';
import { dirtyFiles, openRepository } from '../../src/worktree/repository/repository';
import type { FolderWorktree } from '../../src/worktree/made/worktreeOf';

/** Creates the worktree “fix” of a repository, on a branch of its own, with what isn't committed. */
export async function fixWorktree(repository: GitRepository): Promise<FolderWorktree> {
  const opened = await openRepository(repository.folder);
  const branch = 'parley/fix';
  const path = await suggestPlace(opened, '', branch);
  const changes = await dirtyFiles(opened);
  const { record } = await createWorktree(opened, { base: undefined, branch, path, changes, ignored: [] }, 5);
  return { record, common: opened.common };
}

/** Opens a repository in a new window, and creates its worktree “fix” with a commit of its own and an uncommitted file. */
export async function workInWorktree(
  t: TestContext,
): Promise<{ readonly repository: GitRepository; readonly path: string }> {
  editor.reset();
  const repository = new GitRepository(t);
  repository.write('a.txt', 'one\n');
  repository.commit();
  editor.folders = [repository.folder];
  const { path } = (await fixWorktree(repository)).record;
  repository.write('a.txt', 'two\n', path);
  repository.commit('Work', path);
  repository.write('new.txt', 'new\n', path);
  return { repository, path };
}
