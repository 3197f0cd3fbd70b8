import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { copiesFolder } from '../../git/copyPlaces';
import { listWorktrees } from '../made/worktreeList';
import type { FolderWorktree } from '../made/worktreeOf';
import { WorktreeProblem } from '../repository/worktreeProblem';

/** What an agent in a copy of its own can't see, as real paths. */
export interface CopyHides {
  readonly unreadable: readonly string[];
  /** Folders inside of them that can be read: the objects that the copy borrows. */
  readonly stillReadable: readonly string[];
}

/**
 * Returns what is hidden from an agent: the folder that its copy was made of, with the repository and its worktrees, `roots`, and all other
 * copies. Throws a `WorktreeProblem` if the copy can't work without what is missing.
 */
export async function copyHides(copy: FolderWorktree | undefined, roots: readonly string[]): Promise<CopyHides> {
  const objects = copy ? await borrowedFolders(copy) : [];
  const from = copy ? [copy.record.from, ...objects.map((folder) => dirname(folder)), ...(await beside(copy))] : [];
  const folder = copiesFolder();
  const all = [...from, ...roots, ...(folder === undefined ? [] : [folder])];
  const real = await Promise.all(all.map((path) => realpath(path).catch(() => undefined)));
  return { unreadable: [...new Set(real.filter((path) => path !== undefined))], stillReadable: objects };
}

/** Returns the folders with objects that a copy borrows. Only Parley writes the list. */
async function borrowedFolders({ common }: FolderWorktree): Promise<readonly string[]> {
  const text = await readFile(join(common, 'objects', 'info', 'alternates'), 'utf8').catch(() => '');
  const folders = text.split('\n').filter(Boolean);
  for (const folder of folders) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isThere) continue;
    throw new WorktreeProblem(
      l10n.t(
        'The agent’s own copy needs {0}, which no longer exists. Put the repository back, or start a new session.',
        folder,
      ),
    );
  }
  return folders;
}

async function beside({ record }: FolderWorktree): Promise<readonly string[]> {
  return (await listWorktrees(record.from)).map(({ path }) => path);
}
