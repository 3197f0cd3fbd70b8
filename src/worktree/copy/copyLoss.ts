import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { copyAround } from '../../git/copyPlaces';
import { copyTips } from './copyTips';
import { snapshot } from '../made/createWorktree';
import { innerRepositories, type InnerRepository } from '../repository/innerRepositories';
import { lineOf, partsOf, plainGit } from '../repository/userGit';
import { reportedProblem } from '../repository/worktreeProblem';
import type { WorktreeRecord } from '../made/worktreeRecord';

/** How long git may take to read what an agent wrote, in milliseconds. */
const patience = 60_000;

/** What would be lost with a copy, as with a worktree. Its branches are in its own repository. */
export interface CopyLoss {
  readonly isCopy: true;
  /** Files that the user's folder doesn't have as they are. */
  readonly uncommitted: readonly string[];
  readonly overlooked: readonly string[];
  readonly ignored: readonly string[];
  readonly repositories: readonly InnerRepository[];
  /** Commits that the user's repository doesn't have. */
  readonly detached: number;
  readonly unmerged: 0;
  readonly unpushed: 0;
  readonly tip: '';
}

/** Finds out what would be lost with an agent's own copy. Throws a `WorktreeProblem` if that can't be read. */
export async function copyLoss({ path, base, from }: WorktreeRecord): Promise<CopyLoss> {
  const read = async (...args: readonly string[]) => {
    const output = await plainGit(path, ['--no-optional-locks', ...args]);
    if (output.code !== 0) throw reportedProblem(l10n.t('Couldn’t read what the copy has'), output);
    return partsOf(output);
  };
  const now = await snapshot(path);
  const [changed, ignored, repositories] = [
    await read('diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', base, now, '--'),
    await read('ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'),
    await innerRepositories(path),
  ];
  const isInner = (name: string) => repositories.some((one) => name === `${one.path}/`);
  const uncommitted: string[] = [];
  for (const name of changed) if (!(await isSame(path, from, name))) uncommitted.push(name);
  return {
    isCopy: true,
    uncommitted,
    overlooked: [],
    ignored: ignored.filter((name) => !isInner(name)),
    repositories,
    detached: (await newCommits({ path, from })).count,
    unmerged: 0,
    unpushed: 0,
    tip: '',
  };
}

/** Returns whether the user's folder has the same file, or none either. */
async function isSame(path: string, from: string, name: string): Promise<boolean> {
  const read = async (place: string) =>
    readlink(place).then(
      (target) => Buffer.from(`link ${target}`),
      async () => readFile(place).catch(() => undefined),
    );
  const [theirs, ours] = await Promise.all([read(join(path, name)), read(join(from, name))]);
  return theirs ? ours?.equals(theirs) === true : true;
}

/** What the repository in a copy has that the user's doesn't. */
export interface NewCommits {
  readonly count: number;
  /** The names among the copy's that lead to something new. */
  readonly ids: ReadonlySet<string>;
}

/** Finds the commits in a copy that the user's repository doesn't have. Starts nothing that is configured there. */
export async function newCommits({ path, from }: Pick<WorktreeRecord, 'path' | 'from'>): Promise<NewCommits> {
  const { ids } = await copyTips(path);
  const listed = await plainGit(from, ['for-each-ref', '--format=%(objectname)']);
  const theirs = lineOf(listed).split('\n').filter(Boolean);
  const known = new Set(theirs);
  const asked = [...ids].filter((id) => !known.has(id));
  if (asked.length === 0) return { count: 0, ids: new Set() };
  const checked = lineOf(await plainGit(from, ['cat-file', '--batch-check=%(objectname)'], `${asked.join('\n')}\n`));
  const isThere = new Set(checked.split('\n').filter((line) => /^[0-9a-f]+$/.test(line)));
  const missing = asked.filter((id) => !isThere.has(id));
  if (missing.length === 0) return { count: 0, ids: new Set() };
  const place = copyAround(path);
  const borrowed = { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(path, '.git', 'objects') };
  const lines = [...missing, ...theirs.map((id) => `^${id}`)];
  const counted = await plainGit(
    place?.git ?? path,
    ['rev-list', '--count', '--ignore-missing', '--stdin'],
    `${lines.join('\n')}\n`,
    borrowed,
    patience,
  );
  // What can't be read may be anything.
  const count = Math.max(Number(lineOf(counted)), counted.code === 0 ? 0 : missing.length);
  return { count, ids: new Set(missing) };
}
