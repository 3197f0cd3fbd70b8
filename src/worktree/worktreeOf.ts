import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { copyAround, type CopyPlace } from '../git/copyPlaces';
import { pathKey, wayBelow } from '../disk/paths';
import { attempt } from '../shared/attempt';
import { decodeRecord, type WorktreeRecord } from './worktreeRecord';

/**
 * The place of work that a folder is in: a worktree with the folder of git that all worktrees of the repository share, or a copy that an agent
 * has for itself with Parley's own repository about it.
 */
export interface FolderWorktree {
  readonly record: WorktreeRecord;
  readonly common: string;
  /** Set for a copy. Nothing may read the repository in it as git does: everything there is the agent's. */
  readonly isCopy?: true;
}

/** How long an answer counts without asking the disk again, in milliseconds. */
const settledMs = 5000;

/** How many folders are remembered. */
const mostKnown = 1000;

const known = new Map<string, { readonly worktree: FolderWorktree | undefined; readonly at: number }>();

/**
 * Returns the worktree that a folder is in, if Parley made it. Answers at once from a few small files, because every file of a turn
 * may ask.
 */
export function worktreeOf(folder: string): FolderWorktree | undefined {
  const now = performance.now();
  const before = known.get(folder);
  if (before && now - before.at < settledMs) return before.worktree;
  const worktree = attempt(() => find(folder));
  if (known.size >= mostKnown) known.clear();
  known.set(folder, { worktree, at: now });
  return worktree;
}

/** Makes the next question look at the disk, because a worktree was created or removed. */
export function forgetWorktrees(): void {
  known.clear();
}

/** Returns true if a path is the worktree's folder, or below it. */
export function isInWorktree({ record }: Pick<FolderWorktree, 'record'>, path: string): boolean {
  return pathKey(path) === pathKey(record.path) || wayBelow(record.path, path) !== undefined;
}

function find(folder: string): FolderWorktree | undefined {
  const copy = copyAround(resolve(folder));
  if (copy) return readCopy(copy);
  for (let at = resolve(folder); ; at = dirname(at)) {
    const git = statSync(join(at, '.git'), { throwIfNoEntry: false });
    // Only the first working tree has a folder, and Parley didn't make that one.
    if (git?.isDirectory()) return undefined;
    if (git?.isFile()) return readWorktree(at);
    if (dirname(at) === at) return undefined;
  }
}

function readCopy({ id, git }: CopyPlace): FolderWorktree | undefined {
  const record = decodeRecord(id, readFileSync(join(git, 'parley', 'worktrees', `${id}.json`), 'utf8'));
  return record && { record, common: git, isCopy: true };
}

function readWorktree(root: string): FolderWorktree | undefined {
  const to = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(join(root, '.git'), 'utf8'))?.[1];
  if (to === undefined) return undefined;
  const own = resolve(root, to);
  const common = realpathSync.native(resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim()));
  const notes = join(common, 'parley', 'worktrees');
  // The editor writes drives in lower case on Windows, and the note has the path as the system writes it.
  const path = pathKey(realpathSync.native(root));
  for (const name of readdirSync(notes)) {
    const record = name.endsWith('.json') && decodeRecord(name.slice(0, -5), readFileSync(join(notes, name), 'utf8'));
    if (record && pathKey(record.path) === path) return { record, common };
  }
  return undefined;
}
