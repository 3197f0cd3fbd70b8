import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { copyAround } from '../../git/copyPlaces';
import { copyLoss } from '../copy/copyLoss';
import { gitFolderOf, innerRepositories, isElsewhereToo, type InnerRepository } from '../repository/innerRepositories';
import { allSettings } from '../../git/git';
import { gitPlaceOf } from '../../git/gitPlace';
import { lineOf, partsOf, plainGit } from '../repository/userGit';
import type { ListedWorktree } from '../made/worktreeList';
import { reportedProblem } from '../repository/worktreeProblem';
import { withIndexCopy } from '../made/withIndexCopy';
import { stagedRef, type WorktreeRecord } from '../made/worktreeRecord';

/** What would be lost with a worktree. Paths are relative to it. */
export interface WorktreeLoss {
  /** Set for an agent's own copy: files that the user's folder doesn't have, and commits that the user's repository doesn't have. */
  readonly isCopy?: true;
  /** Files that differ from the last commit. */
  readonly uncommitted: readonly string[];
  /** Files that differ from the last commit, and that git was told to overlook. */
  readonly overlooked: readonly string[];
  /** Ignored files and folders. */
  readonly ignored: readonly string[];
  /** Repositories inside it whose commits or files may be nowhere else. */
  readonly repositories: readonly InnerRepository[];
  /** Commits that no branch has: those of a detached head, or of something unfinished. */
  readonly detached: number;
  /** Commits of its branch that no other branch has. */
  readonly unmerged: number;
  /** Commits that no remote has. Zero if the repository has no remote. */
  readonly unpushed: number;
  /** The last commit of its branch. Empty if the branch is gone, or is kept because another one is checked out. */
  readonly tip: string;
}

/** Finds out what would be lost with a worktree's folder and its branch. Throws a `WorktreeProblem` if that can't be read. */
export async function lossOf({
  record,
  listed: { path, branch },
}: {
  readonly record: WorktreeRecord;
  readonly listed: ListedWorktree;
}): Promise<WorktreeLoss> {
  if (copyAround(path)) return copyLoss(record);
  const gitFolder = await gitFolderOf(path);
  const read = reader(path);
  const isKept = branch !== undefined && branch !== record.branch;
  const [status, ignored, overlooked, inner, own, tip] = await Promise.all([
    // To look into a submodule, git would start a second one, with what is configured there.
    read('status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'),
    read('ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'),
    overlookedChanges(path, gitFolder),
    lostRepositories(path),
    ownCommits(path, gitFolder),
    isKept ? '' : tipOf(path, record.branch),
  ]);
  const isInner = (name: string) => inner.all.some((one) => name === `${one.path}/`);
  return {
    uncommitted: partsOf(status)
      .map((line) => line.slice(3))
      .filter((name) => !isInner(name)),
    overlooked,
    ignored: partsOf(ignored).filter((name) => !isInner(name)),
    repositories: inner.lost,
    detached: own.length > 0 ? await count(path, ...own, '--not', '--branches', '--remotes') : 0,
    ...(await branchLoss(path, record.branch, tip, own)),
  };
}

/** Finds out what would be lost with the branch of a worktree that was saved. */
export async function savedLossOf(
  common: string,
  { id, branch }: Pick<WorktreeRecord, 'id' | 'branch'>,
): Promise<WorktreeLoss> {
  const staged = lineOf(await plainGit(common, ['rev-parse', '--verify', '--quiet', `${stagedRef(id)}^{commit}`]));
  const detached = staged === '' ? 0 : await count(common, staged, '--not', '--branches', '--remotes');
  const nothing = { uncommitted: [], overlooked: [], ignored: [], repositories: [] };
  return { ...nothing, detached, ...(await branchLoss(common, branch, await tipOf(common, branch), [])) };
}

/** Returns true if more would be lost now than the user has seen. */
export function isMoreThan(now: WorktreeLoss, seen: WorktreeLoss): boolean {
  const isNew = (list: (loss: WorktreeLoss) => readonly string[]) => {
    const known = new Set(list(seen));
    return list(now).some((path) => !known.has(path));
  };
  return (
    isNew(({ uncommitted }) => uncommitted) ||
    isNew(({ overlooked }) => overlooked) ||
    isNew(({ ignored }) => ignored) ||
    isNew(({ repositories }) => repositories.map(({ path }) => path)) ||
    now.detached > seen.detached ||
    now.unmerged > seen.unmerged
  );
}

/** Runs git to read a worktree. Without an answer, everything might be lost, so it throws. */
function reader(folder: string, more: Readonly<Record<string, string>> = {}) {
  return async (...args: readonly string[]) => {
    const output = await plainGit(folder, ['--no-optional-locks', ...args], '', more);
    if (output.code !== 0) throw reportedProblem(l10n.t('Couldn’t read what the worktree has'), output);
    return output;
  };
}

async function count(folder: string, ...args: readonly string[]): Promise<number> {
  return Number(lineOf(await reader(folder)('rev-list', '--count', ...args)));
}

async function tipOf(folder: string, branch: string): Promise<string> {
  return lineOf(await plainGit(folder, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`]));
}

async function branchLoss(folder: string, branch: string, tip: string, own: readonly string[]) {
  const others = ['--not', `--exclude=${branch}`, '--branches', '--remotes'];
  const hasRemotes = await hasRemote(folder);
  const all = tip === '' ? own : [tip, ...own];
  return {
    tip,
    unmerged: tip === '' ? 0 : await count(folder, tip, ...others),
    unpushed: hasRemotes && all.length > 0 ? await count(folder, ...all, '--not', '--remotes') : 0,
  };
}

async function hasRemote(folder: string): Promise<boolean> {
  const place = await gitPlaceOf(folder);
  const settings = place && (await allSettings(place));
  return settings?.some(([key]) => key.startsWith('remote.')) === true;
}

/** Where git notes a commit that only the worktree has while something isn't finished. */
const unfinished = [
  'MERGE_AUTOSTASH',
  ...['rebase-merge', 'rebase-apply'].flatMap((name) => [`${name}/autostash`, `${name}/orig-head`]),
];

/** Returns the commits that a worktree has references of its own to. */
async function ownCommits(path: string, gitFolder: string): Promise<readonly string[]> {
  const refs = await reader(path)('for-each-ref', '--format=%(objectname)', 'refs/worktree', 'refs/bisect');
  const notes = await Promise.all(unfinished.map((name) => readFile(join(gitFolder, name), 'utf8').catch(() => '')));
  const names = ['HEAD', ...[...lineOf(refs).split('\n'), ...notes.map((text) => text.trim())]].filter(
    (name) => name === 'HEAD' || /^[0-9a-f]{40,64}$/.test(name),
  );
  const commits = await Promise.all(
    names.map(async (name) => lineOf(await plainGit(path, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]))),
  );
  return [...new Set(commits.filter((commit) => commit !== ''))];
}

/** Lists the files that differ although git was told to overlook them, by `skip-worktree` or `assume-unchanged`. */
async function overlookedChanges(path: string, gitFolder: string): Promise<readonly string[]> {
  const marked = partsOf(await reader(path)('ls-files', '-v', '-z'))
    .filter((line) => /^[a-zS] /.test(line))
    .map((line) => line.slice(2));
  const present: string[] = [];
  // In a sparse checkout, most of them aren't there.
  for (const name of marked) if (await lstat(join(path, name)).catch(() => undefined)) present.push(name);
  if (present.length === 0) return [];
  return withIndexCopy(gitFolder, async (own) => {
    for (const mark of ['--no-skip-worktree', '--no-assume-unchanged']) {
      const unmarked = await plainGit(path, ['update-index', mark, '-z', '--stdin'], present.join('\0'), own);
      if (unmarked.code !== 0) throw reportedProblem(l10n.t('Couldn’t read what the worktree has'), unmarked);
    }
    const plain = ['--no-ext-diff', '--no-textconv', '--no-relative', '--ignore-submodules=all'];
    const differ = new Set(partsOf(await reader(path, own)('diff', '--name-only', '-z', ...plain)));
    return present.filter((name) => differ.has(name));
  });
}

/** Finds the repositories inside a worktree, and those that may have something that is nowhere else. */
async function lostRepositories(path: string) {
  const all = await innerRepositories(path);
  const lost: InnerRepository[] = [];
  for (const one of all) {
    if (one.kind !== 'submodule' || !(await isElsewhereToo(join(path, one.path)))) lost.push(one);
  }
  return { all, lost };
}
