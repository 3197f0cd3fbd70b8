import { lstat, opendir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { copyAbout } from '../git/copyPlaces';
import { readRecords, type WorktreeRecord } from './worktreeRecord';
import { lineOf, userGit } from './userGit';

/** A worktree as git lists it. */
export interface ListedWorktree {
  readonly path: string;
  /** The commit that is checked out. */
  readonly head: string;
  /** Undefined with a detached head. */
  readonly branch: string | undefined;
  /** Why the user locked it, empty without a reason. Undefined if it isn't locked. */
  readonly locked: string | undefined;
}

/** A worktree that Parley made. */
export interface OwnWorktree {
  readonly record: WorktreeRecord;
  /** Undefined if its folder is gone. */
  readonly listed: ListedWorktree | undefined;
}

/** Lists all worktrees of a repository. Parley's own one about a copy has the copy. */
export async function listWorktrees(folder: string): Promise<readonly ListedWorktree[]> {
  const copies = await copyAt(folder);
  if (copies) return copies;
  const text = lineOf(await userGit(folder, ['worktree', 'list', '--porcelain']));
  const found: ListedWorktree[] = [];
  for (const block of text.split(/\r?\n\r?\n/)) {
    const fields = new Map<string, string>();
    for (const line of block.split(/\r?\n/)) {
      const [name = '', ...rest] = line.split(' ');
      fields.set(name, rest.join(' '));
    }
    const named = fields.get('worktree');
    if (named === undefined || named === '' || fields.has('bare')) continue;
    const path = await realpath(named).catch(() => named);
    const branch = fields.get('branch')?.replace(/^refs\/heads\//, '');
    found.push({ path, head: fields.get('HEAD') ?? '', branch, locked: fields.get('locked') });
  }
  return found;
}

async function copyAt(folder: string): Promise<readonly ListedWorktree[] | undefined> {
  const place = copyAbout(folder);
  if (!place) return undefined;
  const [record] = await readRecords(place.git);
  const isThere = record && (await lstat(record.path).catch(() => undefined))?.isDirectory() === true;
  return isThere ? [{ path: record.path, head: record.base, branch: record.branch, locked: undefined }] : [];
}

/** Lists the worktrees that Parley made in a repository, with those that were saved and removed. */
export async function ownWorktrees(common: string): Promise<readonly OwnWorktree[]> {
  const [records, listed] = await Promise.all([readRecords(common), listWorktrees(common)]);
  const isThere = new Set<string>();
  const isCopy = copyAbout(common) !== undefined;
  for (const { path } of listed) {
    if (isCopy || (await lstat(join(path, '.git')).catch(() => undefined))) isThere.add(path);
  }
  return records
    .map((record) => ({
      record,
      listed: listed.find(({ path }) => path === record.path && isThere.has(path)),
    }))
    .filter(({ record, listed: one }) => one !== undefined || record.saved !== undefined);
}

/** Adds up the sizes of a folder's files, in bytes. Stops once `signal` is aborted. Links aren't followed. */
export async function sizeOf(folder: string, signal: AbortSignal): Promise<number> {
  let size = 0;
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined && !signal.aborted; at = waiting.pop()) {
    try {
      for await (const entry of await opendir(at)) {
        const path = join(at, entry.name);
        if (entry.isDirectory()) waiting.push(path);
        else if (entry.isFile()) size += (await lstat(path)).size;
      }
    } catch {
      // It has just been removed, or can't be read.
    }
  }
  return size;
}

/** The name that users know a worktree by. */
export function worktreeName({ path }: Pick<ListedWorktree, 'path'>): string {
  return basename(path);
}
