import { lstat, opendir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { readRecords, type WorktreeRecord } from './worktreeRecord';
import { lineOf, partsOf, userGit } from './userGit';
import { reportedProblem } from './worktreeProblem';

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

/** What would be lost with a worktree. */
export interface WorktreeLoss {
  /** Files that differ from the last commit. */
  readonly uncommitted: readonly string[];
  /** Commits that no other branch has. */
  readonly unmerged: number;
  /** Commits that no remote has. Zero if the repository has no remote. */
  readonly unpushed: number;
  /** Ignored files and folders. */
  readonly ignored: readonly string[];
}

/** A worktree that Parley made. */
export interface OwnWorktree {
  readonly record: WorktreeRecord;
  /** Undefined if its folder is gone. */
  readonly listed: ListedWorktree | undefined;
}

/** Lists all worktrees of a repository. */
export async function listWorktrees(folder: string): Promise<readonly ListedWorktree[]> {
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

/** Lists the worktrees that Parley made in a repository, with those that were saved and removed. */
export async function ownWorktrees(common: string): Promise<readonly OwnWorktree[]> {
  const [records, listed] = await Promise.all([readRecords(common), listWorktrees(common)]);
  const isThere = new Set<string>();
  for (const { path } of listed) if (await lstat(join(path, '.git')).catch(() => undefined)) isThere.add(path);
  return records
    .map((record) => ({
      record,
      listed: listed.find(({ path }) => path === record.path && isThere.has(path)),
    }))
    .filter(({ record, listed: one }) => one !== undefined || record.saved !== undefined);
}

/** Finds out what would be lost with a worktree's folder and its branch. */
export async function lossOf({ path, branch }: ListedWorktree): Promise<WorktreeLoss> {
  const git = (...args: readonly string[]) => userGit(path, ['--no-optional-locks', ...args]);
  const others = branch === undefined ? ['--branches'] : [`--exclude=${branch}`, '--branches'];
  const [status, ignored, unmerged, remotes] = await Promise.all([
    git('status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=none'),
    git('ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'),
    git('rev-list', '--count', 'HEAD', '--not', ...others, '--remotes'),
    git('remote'),
  ]);
  // Without an answer, everything might be lost.
  if (status.code !== 0) throw reportedProblem(l10n.t('Couldn’t read what the worktree has'), status);
  const unpushed = lineOf(remotes) === '' ? '' : lineOf(await git('rev-list', '--count', 'HEAD', '--not', '--remotes'));
  return {
    uncommitted: partsOf(status).map((line) => line.slice(3)),
    ignored: partsOf(ignored),
    unmerged: Number(lineOf(unmerged)),
    unpushed: Number(unpushed),
  };
}

/** Finds out what would be lost with the branch of a worktree that was saved. */
export async function savedLossOf(common: string, { branch }: WorktreeRecord): Promise<WorktreeLoss> {
  const count = async (...args: readonly string[]) =>
    Number(lineOf(await userGit(common, ['rev-list', '--count', `refs/heads/${branch}`, '--not', ...args])));
  const hasRemotes = lineOf(await userGit(common, ['remote'])) !== '';
  const unmerged = await count(`--exclude=${branch}`, '--branches', '--remotes');
  return { uncommitted: [], ignored: [], unmerged, unpushed: hasRemotes ? await count('--remotes') : 0 };
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
