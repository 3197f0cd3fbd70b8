import { lstat, readFile, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isLossy } from '../../disk/lossyNames';
import { wayBelow } from '../../disk/paths';
import { snapshot } from '../made/createWorktree';
import { untrackedRepositories } from '../repository/stageAll';
import { checkedOut } from '../repository/checkedOut';
import { partsOf, plainGit } from '../repository/userGit';
import type { FileVersion } from '../repository/mergeFiles';
import type { FolderWorktree } from '../made/worktreeOf';
import { reportedProblem } from '../repository/worktreeProblem';
import { isPlainPath } from '../made/worktreeRecord';

/** A file that differs between a worktree and what it started from. Paths are relative to the root, with slashes. */
export interface WorktreeChange {
  readonly path: string;
  /** The path before a rename. */
  readonly from?: string;
  readonly base: FileVersion;
  readonly theirs: FileVersion;
}

/** Why a changed file can't be merged. */
export type SkipReason = 'submodule' | 'repository' | 'name' | 'unreadable';

/** Everything that differs between a worktree and what it started from. */
export interface WorktreeChanges {
  /** The commit that has the worktree's files as they are. No branch has it. */
  readonly snapshot: string;
  readonly changes: readonly WorktreeChange[];
  readonly skipped: readonly { readonly path: string; readonly reason: SkipReason }[];
}

/** How many files are read at a time. */
const lanes = 8;

const submodule = '160000';
const link = '120000';
const executable = '100755';
const nothing = '000000';

/** A line of `git diff-tree`. */
interface RawChange {
  readonly oldMode: string;
  readonly newMode: string;
  readonly path: string;
  readonly from?: string;
}

/**
 * Finds out what differs between a worktree and a commit, usually its base. Files that git ignores don't count. Throws a
 * `WorktreeProblem`.
 */
export async function worktreeChanges(
  { record }: Pick<FolderWorktree, 'record'>,
  base: string = record.base,
): Promise<WorktreeChanges> {
  const commit = await snapshot(record.path);
  const inner = await untrackedRepositories(record.path);
  const skipped = inner.map((path): { path: string; reason: SkipReason } => ({ path, reason: 'repository' }));
  const found: WorktreeChange[] = [];
  const waiting = [...(await rawChanges(record.path, base, commit))].reverse();
  const lane = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const { path, from, oldMode, newMode } = one;
      const names = from === undefined ? [path] : [from, path];
      if (oldMode === submodule || newMode === submodule) {
        skipped.push({ path, reason: 'submodule' });
        continue;
      }
      if (names.some((name) => isLossy(name) || !isPlainPath(name))) {
        skipped.push({ path, reason: 'name' });
        continue;
      }
      const theirs = newMode === nothing ? absent : await readInWorktree(record.path, path, newMode === executable);
      if (!theirs) {
        skipped.push({ path, reason: 'unreadable' });
        continue;
      }
      const before = await versionIn(record.path, base, from ?? path, oldMode);
      found.push({ path, base: before, theirs, ...(from === undefined ? {} : { from }) });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const inOrder = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  return { snapshot: commit, changes: found.sort(inOrder), skipped: skipped.sort(inOrder) };
}

/** Returns the new paths of files that were renamed between two commits, by their old paths. */
export async function renamedBetween(root: string, from: string, to: string): Promise<ReadonlyMap<string, string>> {
  const all = await rawChanges(root, from, to);
  return new Map(all.flatMap((one) => (one.from === undefined ? [] : [[one.from, one.path] as const])));
}

const absent = { kind: 'absent' } as const;

async function rawChanges(root: string, from: string, to: string): Promise<readonly RawChange[]> {
  const args = ['-c', 'diff.renameLimit=2000', 'diff-tree', '-r', '-z', '--raw', '--find-renames', '--no-ext-diff'];
  const output = await plainGit(root, [...args, from, to, '--']);
  if (output.code !== 0) throw reportedProblem(l10n.t('Couldn’t compare the worktree with its start'), output);
  const parts = partsOf(output);
  const found: RawChange[] = [];
  for (let at = 0; at < parts.length;) {
    // :100644 100755 0123… 4567… M
    const [oldMode = '', newMode = '', , , status = ''] = (parts[at++] ?? '').slice(1).split(' ');
    const first = parts[at++] ?? '';
    if (!status.startsWith('R')) {
      found.push({ oldMode, newMode, path: first });
      continue;
    }
    found.push({ oldMode, newMode, path: parts[at++] ?? '', from: first });
  }
  return found;
}

/** Reads a file as it is. Undefined if it isn't a file or a link, or is outside of the worktree. */
async function readInWorktree(root: string, path: string, isExecutable: boolean): Promise<FileVersion | undefined> {
  const place = join(root, path);
  try {
    const folder = await realpath(dirname(place));
    if (folder !== root && wayBelow(root, folder) === undefined) return undefined;
    const stat = await lstat(place);
    if (stat.isSymbolicLink()) return { kind: 'link', target: await readlink(place) };
    if (!stat.isFile()) return undefined;
    return { kind: 'file', bytes: await readFile(place), isExecutable };
  } catch {
    // It has just been removed, or can't be read.
    return undefined;
  }
}

/** Reads a file of a commit as git would check it out. */
async function versionIn(root: string, commit: string, path: string, mode: string): Promise<FileVersion> {
  if (mode === nothing) return absent;
  const isLink = mode === link;
  const output = isLink
    ? await plainGit(root, ['cat-file', 'blob', `${commit}:${path}`])
    : await checkedOut(root, commit, path);
  if (output.code !== 0) throw reportedProblem(l10n.t('Couldn’t read {0} as it was before', path), output);
  if (isLink) return { kind: 'link', target: output.out.toString() };
  return { kind: 'file', bytes: output.out, isExecutable: mode === executable };
}
