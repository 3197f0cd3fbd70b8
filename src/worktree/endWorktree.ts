import { lstat, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { patiently, type Patience } from '../disk/patiently';
import { Emitter } from '../shared/event';
import { addWorktree } from './createWorktree';
import { branchNames } from './repository';
import { lineOf, userGit } from './userGit';
import { forgetWorktrees } from './worktreeOf';
import { baseRef, broughtRef, deleteRecord, startRef, writeRecord, type WorktreeRecord } from './worktreeRecord';
import { listWorktrees, lossOf, type ListedWorktree, type WorktreeLoss } from './worktreeList';
import { goneProblem, reportedProblem, WorktreeProblem } from './worktreeProblem';

const removals = new Emitter<string>();

/** Fires after Parley removed the folder of a worktree, with its path. */
export const onDidRemoveWorktree = removals.event;

/**
 * Removes a worktree that Parley made, also with what isn't committed. `agreed` is the loss that the user has seen. Throws a
 * `WorktreeProblem` if there is more, or if it is locked.
 */
export async function removeWorktree(
  common: string,
  record: WorktreeRecord,
  agreed: WorktreeLoss,
  deletesBranch: boolean,
): Promise<void> {
  const listed = await find(common, record);
  let isLeft = false;
  if (listed) {
    const loss = await lossOf(listed);
    const isMore = loss.uncommitted.some((path) => !agreed.uncommitted.includes(path));
    if (isMore || loss.unmerged > agreed.unmerged) {
      throw new WorktreeProblem(l10n.t('The worktree has changed in the meantime. Look at what would be lost again.'));
    }
    isLeft = await removeFolder(common, listed);
  }
  const branch = listed?.branch ?? record.branch;
  if (deletesBranch && branch === record.branch) await deleteBranch(common, branch);
  for (const refOf of [baseRef, broughtRef, startRef]) await userGit(common, ['update-ref', '-d', refOf(record.id)]);
  await deleteRecord(common, record.id);
  forgetWorktrees();
  removals.fire(record.path);
  if (isLeft) await removeRest(record.path);
}

/** Commits everything on the worktree's branch and removes the folder. Ignored files are lost. */
export async function saveWorktree(common: string, record: WorktreeRecord, message: string): Promise<WorktreeRecord> {
  const listed = await find(common, record);
  if (!listed) throw goneProblem(record);
  assertUnlocked(listed);
  const { path } = listed;
  const before = listed.head;
  let { branch } = listed;
  await assertNothingInProgress(path);
  if (branch === undefined) {
    // Commits without a branch would be lost.
    branch = await freeBranch(common, record.branch);
    const created = await userGit(path, ['switch', '--create', branch]);
    if (created.code !== 0) throw reportedProblem(l10n.t('Couldn’t save the worktree'), created);
  }
  const { uncommitted } = await lossOf(listed);
  if (uncommitted.length > 0) await commitAll(path, message);
  const [left] = (await lossOf(listed)).uncommitted;
  if (left !== undefined) {
    throw new WorktreeProblem(l10n.t('{0} has changes that can’t be committed here. Commit them there first.', left));
  }
  const commit = lineOf(await userGit(path, ['rev-parse', '--verify', 'HEAD^{commit}']));
  const saved: WorktreeRecord = { ...record, branch, saved: { commit, before } };
  await writeRecord({ common }, saved);
  const isLeft = await removeFolder(common, listed);
  forgetWorktrees();
  removals.fire(path);
  if (isLeft) await removeRest(path);
  return saved;
}

/** A worktree that was brought back, and what isn't complete there, in sentences. */
export interface RestoredWorktree {
  readonly record: WorktreeRecord;
  readonly notes: readonly string[];
}

/** Brings back a worktree that was saved. What wasn't committed then isn't committed again. */
export async function restoreWorktree(common: string, record: WorktreeRecord): Promise<RestoredWorktree> {
  const { saved, ...rest } = record;
  if (!saved) return { record, notes: [] };
  const failed = l10n.t('Couldn’t bring back the worktree');
  if (await lstat(record.path).catch(() => undefined)) {
    throw new WorktreeProblem(l10n.t('{0} already exists. Move it away and try again.', record.path));
  }
  const tip = lineOf(
    await userGit(common, ['rev-parse', '--verify', '--quiet', `refs/heads/${record.branch}^{commit}`]),
  );
  // The commit is there even if the branch was deleted, until git cleans up.
  const start = tip === '' ? ['-b', record.branch, record.path, saved.commit] : [record.path, record.branch];
  const notes = await addWorktree(common, start, record.path, failed);
  // The user may have committed on the branch since.
  if ((tip === '' || tip === saved.commit) && saved.before !== saved.commit) {
    const reset = await userGit(record.path, ['reset', '--quiet', '--mixed', saved.before]);
    if (reset.code !== 0) {
      // Everything there is on the branch.
      await userGit(common, ['worktree', 'remove', '--force', record.path]);
      throw reportedProblem(failed, reset);
    }
  }
  const back = { ...rest, path: await realpath(record.path) };
  await writeRecord({ common }, back);
  forgetWorktrees();
  return { record: back, notes };
}

async function find(common: string, record: WorktreeRecord): Promise<ListedWorktree | undefined> {
  return (await listWorktrees(common)).find(({ path }) => path === record.path);
}

/** Throws a `WorktreeProblem` if the user has locked the worktree. */
export function assertUnlocked({ locked, path }: Pick<ListedWorktree, 'locked' | 'path'>): void {
  if (locked === undefined) return;
  const unlock = l10n.t('Run “git worktree unlock” first.');
  throw new WorktreeProblem(
    locked === ''
      ? l10n.t('The worktree {0} is locked. {1}', path, unlock)
      : l10n.t('The worktree {0} is locked ({1}). {2}', path, locked, unlock),
  );
}

/** Removes a worktree's folder. Resolves to whether some of it is left, which git has forgotten. */
async function removeFolder(common: string, listed: ListedWorktree): Promise<boolean> {
  assertUnlocked(listed);
  // Without force, git refuses untracked files and submodules.
  const removed = await userGit(common, ['worktree', 'remove', '--force', listed.path]);
  if (removed.code === 0) return false;
  const isListed = (await listWorktrees(common)).some(({ path }) => path === listed.path);
  if (isListed) throw reportedProblem(l10n.t('Couldn’t remove the worktree'), removed);
  return true;
}

/**
 * Removes what git left of a worktree's folder. While a program uses a file or a folder there, Windows doesn't remove it, and git forgets the
 * worktree nevertheless.
 */
export async function removeRest(folder: string, patience?: Patience): Promise<void> {
  try {
    await patiently(() => rm(folder, { recursive: true, force: true }), patience);
  } catch {
    throw new WorktreeProblem(
      l10n.t('Some of {0} couldn’t be removed. Close the programs that use its files, then delete the folder.', folder),
    );
  }
}

async function deleteBranch(common: string, branch: string): Promise<void> {
  const deleted = await userGit(common, ['branch', '--quiet', '-D', '--', branch]);
  const isGone = !(await branchNames({ root: common })).includes(branch);
  if (deleted.code !== 0 && !isGone) throw reportedProblem(l10n.t('Couldn’t delete the branch “{0}”', branch), deleted);
}

async function freeBranch(common: string, wanted: string): Promise<string> {
  const taken = await branchNames({ root: common });
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** Throws a `WorktreeProblem` in the middle of a merge or a rebase, which would be lost with the folder. */
async function assertNothingInProgress(path: string): Promise<void> {
  const gitFolder = resolve(path, lineOf(await userGit(path, ['rev-parse', '--git-dir'])));
  for (const name of ['rebase-merge', 'rebase-apply', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'BISECT_LOG']) {
    if ((await lstat(join(gitFolder, name)).catch(() => undefined)) === undefined) continue;
    throw new WorktreeProblem(
      l10n.t('A merge or a rebase isn’t finished in {0}. Finish or abort it there first.', path),
    );
  }
}

/** Commits all files without hooks and signing, which might ask or push. */
async function commitAll(path: string, message: string): Promise<void> {
  const failed = l10n.t('Couldn’t save the worktree');
  const added = await userGit(path, ['add', '--all', '--', ':/']);
  if (added.code !== 0) throw reportedProblem(failed, added);
  const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false'];
  const committed = await userGit(path, [...quiet, 'commit', '--quiet', '--no-verify', '--message', message]);
  if (committed.code !== 0) throw reportedProblem(failed, committed);
}
