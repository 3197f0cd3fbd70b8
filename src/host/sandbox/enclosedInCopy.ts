import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { copiesFolder, emptyFolder } from '../../git/copyPlaces';
import { wayBelow } from '../../disk/paths';
import { messageOf } from '../../shared/values/messageOf';
import { SandboxFailure } from '../../shared/limits/sandbox';
import { copyHides, type CopyHides } from '../../worktree/copy/copyHides';
import { isInWorktree, worktreeOf } from '../../worktree/made/worktreeOf';
import { holdsHome } from '../base/filePaths';

/** What a sandbox with an own copy is made of. */
export interface EnclosedInCopy {
  /** Where the program starts. */
  readonly cwd: string;
  /** What it can change: the copy, or nothing of the user's if it only answers queries. */
  readonly folders: readonly string[];
  readonly hidden: CopyHides;
}

/**
 * Returns what an agent in a copy of its own is held to. A program for a folder without a copy works in an empty folder: it answers queries, and
 * sees nothing of the user's. Rejects with a `SandboxFailure` if there is no copy to work in.
 */
export async function enclosedInCopy(cwd: string, start: string, roots: readonly string[]): Promise<EnclosedInCopy> {
  const folder = copiesFolder();
  if (folder === undefined) throw new SandboxFailure(l10n.t('Parley has no storage here for a copy.'));
  const worktree = worktreeOf(cwd);
  const copy = worktree?.isCopy ? worktree : undefined;
  const hidden = await copyHides(copy, [...roots, ...(copy ? [] : [cwd])]).catch((error: unknown) => {
    throw new SandboxFailure(messageOf(error), error);
  });
  if (hidden.unreadable.some((path) => holdsHome(path))) {
    throw new SandboxFailure(l10n.t('Parley can’t copy a folder that contains your home folder. Open a project.'));
  }
  if (!copy) {
    const empty = await emptyFolder(folder);
    return { cwd: empty, folders: [], hidden: { ...hidden, stillReadable: [...hidden.stillReadable, empty] } };
  }
  const { path, from } = copy.record;
  const real = await realpath(start).catch(() => start);
  const below = wayBelow(from, real);
  const inCopy = below === undefined ? cwd : join(path, below);
  const isSeen = !hidden.unreadable.some((one) => one === real || wayBelow(one, real) !== undefined);
  return { cwd: isInWorktree(copy, start) || isSeen ? start : inCopy, folders: [path], hidden };
}
