import type { GitRepository } from './gitRepository';
import { createWorktree, suggestPlace } from '../../src/worktree/createWorktree';
import { dirtyFiles, openRepository } from '../../src/worktree/repository';
import type { FolderWorktree } from '../../src/worktree/worktreeOf';

/** Creates the worktree “fix” of a repository, on a branch of its own, with what isn't committed. */
export async function fixWorktree(repository: GitRepository): Promise<FolderWorktree> {
  const opened = await openRepository(repository.folder);
  const branch = 'parley/fix';
  const path = await suggestPlace(opened, '', branch);
  const changes = await dirtyFiles(opened);
  const { record } = await createWorktree(opened, { base: undefined, branch, path, changes, ignored: [] }, 5);
  return { record, common: opened.common };
}
