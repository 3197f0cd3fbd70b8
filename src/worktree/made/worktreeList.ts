import { lstat, opendir, readdir, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { compact } from '../../shared/values/decodeValue';
import { allSettings } from '../../git/git';
import { gitPlaceOf, readOrdinary } from '../../git/gitPlace';
import { copiesFolder, copyAbout } from '../../git/copyPlaces';
import { readRecords, type WorktreeRecord } from './worktreeRecord';
import type { FolderWorktree } from './worktreeOf';
import { lineOf, plainGit } from '../repository/userGit';

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

/** Lists all worktrees of a repository, the first one first. Parley's own one about a copy has the copy. Empty outside of a repository, or without git. */
export async function listWorktrees(folder: string): Promise<readonly ListedWorktree[]> {
  const copies = await copyAt(folder);
  if (copies) return copies;
  const common = (await gitPlaceOf(folder))?.common;
  if (common === undefined) return [];
  const place = { top: undefined, gitFolder: common, common };
  const settings = await allSettings(place);
  if (!settings) return [];
  const isBare = settings.findLast(([key]) => key === 'core.bare')?.[1] === 'true';
  const first = basename(common) === '.git' ? dirname(common) : common;
  const names = await readdir(join(common, 'worktrees')).catch(() => []);
  const found = await Promise.all([
    ...(isBare ? [] : [headOf(common).then((head) => ({ named: first, head, locked: undefined }))]),
    ...names.sort().map(async (name) => {
      const gitFolder = join(common, 'worktrees', name);
      const [to, locked] = [await textOf(join(gitFolder, 'gitdir')), await textOf(join(gitFolder, 'locked'))];
      if (to === undefined || to === '') return undefined;
      return { named: dirname(resolve(gitFolder, to)), head: await headOf(gitFolder), locked };
    }),
  ]);
  const there = found.filter((one) => one !== undefined);
  const refs = there.flatMap(({ head }) => head.ref ?? []);
  const format = '--format=%(refname) %(objectname)';
  const resolved = refs.length === 0 ? '' : lineOf(await plainGit(common, ['for-each-ref', format, ...refs]));
  const commits = new Map(resolved.split('\n').map((line) => line.split(' ') as [string, string]));
  return Promise.all(
    there.map(async ({ named, head: { ref, commit }, locked }) => ({
      path: await realpath(named).catch(() => named),
      head: commit ?? commits.get(ref ?? '') ?? unborn,
      branch: ref?.replace(/^refs\/heads\//, ''),
      locked,
    })),
  );
}

/** The largest file of git's about a worktree that is read, in bytes. */
const longest = 16_384;

/** What git lists for a branch without a commit. */
const unborn = '0'.repeat(40);

async function textOf(path: string): Promise<string | undefined> {
  return (await readOrdinary(path, longest))?.toString().trimEnd();
}

/** Returns the branch or the commit that is checked out. */
async function headOf(gitFolder: string): Promise<{ readonly ref?: string; readonly commit?: string }> {
  const linked = await readlink(join(gitFolder, 'HEAD')).catch(() => undefined);
  const text = linked === undefined ? ((await textOf(join(gitFolder, 'HEAD'))) ?? '') : `ref: ${linked}`;
  const ref = /^ref:\s*(refs\/.+)$/.exec(text)?.[1];
  // Only git can read this format of references.
  if (ref === 'refs/heads/.invalid') {
    const [named, commit] = [
      lineOf(await plainGit(gitFolder, ['symbolic-ref', '--quiet', 'HEAD'])),
      lineOf(await plainGit(gitFolder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])),
    ];
    return compact({ ref: named || undefined, commit: commit || undefined });
  }
  return ref === undefined ? { commit: text } : { ref };
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

/** Lists the copies that agents have for themselves, of all folders. */
export async function ownCopies(): Promise<readonly FolderWorktree[]> {
  const folder = copiesFolder();
  const names = folder === undefined ? [] : await readdir(folder).catch(() => []);
  const found: FolderWorktree[] = [];
  for (const name of names) {
    const common = join(folder ?? '', name, 'git');
    const [record] = await readRecords(common);
    if (record?.id === name) found.push({ record, common, isCopy: true });
  }
  return found;
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
