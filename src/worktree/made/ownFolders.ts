import { lstat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { copyAround } from '../../git/copyPlaces';
import { WorktreeProblem } from '../repository/worktreeProblem';
import type { WorktreeRecord } from './worktreeRecord';

/** What Parley remembers of a worktree that it made, where no agent writes. */
export interface OwnFolder {
  readonly common: string;
  readonly path: string;
  readonly branch: string;
  /** The device and the number of the folder there, in decimal. */
  readonly device: string;
  readonly number: string;
}

/** Keeps what Parley remembers, by the ids of the notes. */
export interface FolderMemory {
  get(id: string): OwnFolder | undefined;
  set(id: string, folder: OwnFolder | undefined): Promise<void>;
}

const inProcess = new Map<string, OwnFolder>();

let memory: FolderMemory = {
  get: (id) => inProcess.get(id),
  set: (id, folder) => {
    if (folder) inProcess.set(id, folder);
    else inProcess.delete(id);
    return Promise.resolve();
  },
};

/** Remembers worktrees in `other` from now on. Until then, they are remembered as long as the process runs. */
export function rememberFoldersIn(other: FolderMemory): void {
  memory = other;
}

/** Remembers the folder of a worktree that Parley has just made, and the branch if it made that, too. */
export async function rememberFolder(
  common: string,
  { id, path, branch }: Pick<WorktreeRecord, 'id' | 'path' | 'branch'>,
): Promise<void> {
  const { dev, ino } = await lstat(path, { bigint: true });
  await memory.set(id, { common, path, branch, device: String(dev), number: String(ino) });
}

/** Remembers the new folder of a worktree that was brought back. Its branch counts as Parley's only if it did before. */
export async function rememberAgain(common: string, record: WorktreeRecord): Promise<void> {
  const known = memory.get(record.id);
  const isOwn = known?.common === common && known.branch === record.branch;
  await rememberFolder(common, { ...record, branch: isOwn ? record.branch : '' });
}

/** Remembers the branch that has a worktree's work now. */
export async function rememberBranch(id: string, branch: string): Promise<void> {
  const known = memory.get(id);
  if (known) await memory.set(id, { ...known, branch });
}

/** Forgets a worktree that was removed. */
export function forgetFolder(id: string): Promise<void> {
  return memory.set(id, undefined);
}

/** Returns whether Parley made what a note is about. Notes are where agents write. */
export function isRemembered(common: string, { id, path }: Pick<WorktreeRecord, 'id' | 'path'>): boolean {
  const known = memory.get(id);
  return known !== undefined && known.common === common && known.path === path;
}

/** Throws a `WorktreeProblem` unless the folder of a note is the one that Parley made. Notes are where agents write. */
export async function assertOwnFolder(common: string, { id, path }: WorktreeRecord): Promise<void> {
  const known = memory.get(id);
  const next = copyAround(path)
    ? l10n.t('If you no longer need it, delete it yourself.')
    : l10n.t('If it’s a worktree that you no longer need, run “git worktree remove {0}”.', path);
  if (!known || !isRemembered(common, { id, path })) {
    throw new WorktreeProblem(
      l10n.t('Parley can’t tell that it made {0}, so it doesn’t remove that folder. {1}', path, next),
    );
  }
  const stat = await lstat(path, { bigint: true }).catch(() => undefined);
  const isSame = stat?.isDirectory() && String(stat.dev) === known.device && String(stat.ino) === known.number;
  if (isSame !== true) {
    throw new WorktreeProblem(
      l10n.t('{0} is no longer the folder that Parley made, so it isn’t removed. {1}', path, next),
    );
  }
}

/** Throws a `WorktreeProblem` unless Parley made the branch of a note. */
export function assertOwnBranch(common: string, { id, branch }: WorktreeRecord): void {
  const known = memory.get(id);
  if (known?.common === common && known.branch === branch) return;
  throw new WorktreeProblem(
    l10n.t(
      'Parley can’t tell that it made the branch “{0}”, so nothing was removed. Keep the branch, or delete it with “git branch -D”.',
      branch,
    ),
  );
}
