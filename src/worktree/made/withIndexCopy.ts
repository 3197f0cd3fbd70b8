import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { newRecordId } from './worktreeRecord';

/** Copies a worktree's index, and calls `use` with the variables that make git use the copy. The copy is removed then. */
export async function withIndexCopy<T>(
  gitFolder: string,
  use: (own: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const index = join(gitFolder, `parley-index-${newRecordId()}`);
  try {
    const { atime, mtime } = await stat(join(gitFolder, 'index'));
    await copyFile(join(gitFolder, 'index'), index);
    // Git reads a file again if it may have changed after the index was written. A younger index would hide that.
    await utimes(index, atime, mtime);
    return await use({ GIT_INDEX_FILE: index });
  } finally {
    await rm(index, { force: true });
  }
}
