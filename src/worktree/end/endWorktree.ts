import { lstat, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { patiently, type Patience } from '../../disk/patiently';
import { compact } from '../../shared/values/decodeValue';
import { copyAbout } from '../../git/copyPlaces';
import { addWorktree, ownIdentity } from '../made/createWorktree';
import { removeCopy } from './endCopy';
import { gitFolderOf, keepRepositories, keptFolder, putRepositoriesBack } from '../repository/innerRepositories';
import { assertOwnBranch, assertOwnFolder, forgetFolder, rememberAgain, rememberBranch } from '../made/ownFolders';
import { branchNames } from '../repository/repository';
import { stageAll } from '../repository/stageAll';
import { lineOf, partsOf, plainGit, userGit } from '../repository/userGit';
import { forgetWorktrees, worktreeRemoved } from '../made/worktreeOf';
import {
  baseRef,
  broughtRef,
  deleteRecord,
  stagedRef,
  startRef,
  writeRecord,
  type WorktreeRecord,
} from '../made/worktreeRecord';
import { listWorktrees, type ListedWorktree } from '../made/worktreeList';
import { isMoreThan, lossOf, savedLossOf, type WorktreeLoss } from './worktreeLoss';
import { goneProblem, reportedProblem, WorktreeProblem } from '../repository/worktreeProblem';

/**
 * Removes a worktree that Parley made, also with what isn't committed. `agreed` is the loss that the user has seen. Throws a
 * `WorktreeProblem` if there is more, if it is locked, or if the folder isn't the one that Parley made.
 */
export async function removeWorktree(
  common: string,
  record: WorktreeRecord,
  agreed: WorktreeLoss,
  deletesBranch: boolean,
): Promise<void> {
  const listed = await find(common, record);
  const copy = copyAbout(common);
  if (listed) await assertOwnFolder(common, record);
  else if (!record.saved && (await lstat(record.path).catch(() => undefined))) throw unlistedProblem(record);
  const loss = await (listed ? lossOf({ record, listed }) : savedLossOf(common, record));
  if (isMoreThan(loss, agreed)) throw changedProblem();
  if (copy) {
    await removeCopy(copy, record);
    worktreeRemoved(record.path);
    return;
  }
  const deletesOwn = deletesBranch && loss.tip !== '';
  if (deletesOwn) assertOwnBranch(common, record);
  const isLeft = listed ? await removeFolder(common, record, listed) : false;
  if (deletesOwn) await deleteBranch(common, record.branch, loss.tip);
  for (const refOf of [baseRef, broughtRef, startRef, stagedRef])
    await plainGit(common, ['update-ref', '-d', refOf(record.id)]);
  await deleteRecord(common, record.id);
  worktreeRemoved(record.path);
  if (isLeft) await removeOwnRest(common, record);
  await forgetFolder(record.id);
}

/**
 * Commits everything on the worktree's branch and removes the folder. Repositories inside it are kept beside Parley's notes, and ignored files
 * are lost: `agreed` has those that the user has seen. Throws a `WorktreeProblem` if anything else would be lost.
 */
export async function saveWorktree(
  common: string,
  record: WorktreeRecord,
  message: string,
  agreed: Pick<WorktreeLoss, 'ignored'>,
): Promise<WorktreeRecord> {
  const listed = await find(common, record);
  if (!listed) throw goneProblem(record);
  if (copyAbout(common)) {
    throw new WorktreeProblem(
      l10n.t(
        '{0} is an agent’s own copy, so nothing was committed. Bring its changes here, or fetch its branch.',
        record.path,
      ),
    );
  }
  await assertRemovable(common, record, listed);
  const { path } = listed;
  const before = listed.head;
  await assertNothingInProgress(path);
  const loss = await lossOf({ record, listed });
  if (loss.ignored.some((name) => !agreed.ignored.includes(name))) throw changedProblem();
  assertKeepable(loss);
  let { branch } = listed;
  if (branch !== undefined && loss.detached > 0) throw namelessProblem(path);
  if (branch === undefined) {
    // Commits without a branch would be lost.
    branch = await freeBranch(common, record.branch);
    const created = await userGit(path, ['switch', '--create', branch]);
    if (created.code !== 0) throw reportedProblem(l10n.t('Couldn’t save the worktree'), created);
    await rememberBranch(record.id, branch);
  }
  const kept = loss.repositories.map((one) => one.path);
  await keepRepositories(common, record, kept);
  try {
    const staged = await keepStaged(path, record.id);
    await commitAll(path, message);
    const now = await lossOf({ record: { ...record, branch }, listed: { ...listed, branch } });
    const changed = now.uncommitted.length > 0 ? await changedForUser(path) : [];
    const uncommitted = now.uncommitted.filter((one) => changed.includes(one));
    const [left] = [...uncommitted, ...now.overlooked, ...now.repositories.map((one) => one.path)];
    if (left !== undefined) throw uncommittableProblem(left);
    if (now.detached > 0) throw namelessProblem(path);
    const commit = lineOf(await plainGit(path, ['rev-parse', '--verify', 'HEAD^{commit}']));
    // On a branch without a commit, everything is new.
    const start = /^0+$/.test(before) ? commit : before;
    const saved: WorktreeRecord = {
      ...record,
      branch,
      saved: { commit, before: start, ...compact({ kept: kept.length > 0 ? kept : undefined, staged }) },
    };
    await writeRecord({ common }, saved);
    const isLeft = await removeFolder(common, record, listed);
    worktreeRemoved(path);
    if (isLeft) await removeOwnRest(common, record);
    return saved;
  } catch (error) {
    if (await find(common, record)) {
      await putRepositoriesBack(common, record, kept);
      await writeRecord({ common }, record);
    }
    throw error;
  }
}

/** Lists what still differs from the last commit as the user's own git sees it: its filters can make a file what it was. */
async function changedForUser(path: string): Promise<readonly string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'];
  const status = await userGit(path, args);
  if (status.code !== 0) throw reportedProblem(l10n.t('Couldn’t save the worktree'), status);
  return partsOf(status).map((line) => line.slice(3));
}

/** Throws a `WorktreeProblem` if a worktree has something that neither its branch nor another folder can have. */
function assertKeepable({ overlooked, repositories }: WorktreeLoss): void {
  const [hidden] = overlooked;
  if (hidden !== undefined) {
    throw new WorktreeProblem(
      l10n.t(
        '{0} has changes that Git was told to overlook, so they can’t be committed. Run “git update-index --no-skip-worktree --no-assume-unchanged” for it there, then try again.',
        hidden,
      ),
    );
  }
  const submodule = repositories.find(({ kind }) => kind === 'submodule');
  if (submodule) throw uncommittableProblem(submodule.path);
  const other = repositories.find(({ kind }) => kind === 'elsewhere');
  if (other) {
    throw new WorktreeProblem(
      l10n.t(
        '{0} is a worktree or a repository of its own, so its files can’t be committed here. Commit them there, then move the folder away.',
        other.path,
      ),
    );
  }
}

function uncommittableProblem(path: string): WorktreeProblem {
  return new WorktreeProblem(
    l10n.t(
      '{0} has changes that can’t be committed here. Commit them there first, and push the commits of a submodule.',
      path,
    ),
  );
}

function namelessProblem(path: string): WorktreeProblem {
  return new WorktreeProblem(
    l10n.t('{0} has commits that no branch has. Give them a branch there, then try again.', path),
  );
}

function changedProblem(): WorktreeProblem {
  return new WorktreeProblem(l10n.t('The worktree has changed in the meantime. Look at what would be lost again.'));
}

function unlistedProblem({ path }: WorktreeRecord): WorktreeProblem {
  return new WorktreeProblem(
    l10n.t(
      'Git no longer lists the worktree {0}, so nothing was removed. Run “git worktree repair” there, or delete the folder yourself.',
      path,
    ),
  );
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
    await plainGit(common, ['rev-parse', '--verify', '--quiet', `refs/heads/${record.branch}^{commit}`]),
  );
  // The commit is there even if the branch was deleted, until git cleans up.
  const start = tip === '' ? ['-b', record.branch, record.path, saved.commit] : [record.path, record.branch];
  const notes = await addWorktree(common, start, record.path, failed);
  // The user may have committed on the branch since.
  if ((tip === '' || tip === saved.commit) && saved.before !== saved.commit) {
    const reset = await plainGit(record.path, ['reset', '--quiet', '--mixed', saved.before]);
    if (reset.code !== 0) {
      // Everything there is on the branch.
      await userGit(common, ['worktree', 'remove', '--force', record.path]);
      throw reportedProblem(failed, reset);
    }
    if (saved.staged !== undefined) {
      const staged = await plainGit(record.path, ['read-tree', saved.staged]);
      if (staged.code === 0) await plainGit(common, ['update-ref', '-d', stagedRef(record.id)]);
    }
  }
  const back = { ...rest, path: await realpath(record.path) };
  await writeRecord({ common }, back);
  await rememberAgain(common, back);
  forgetWorktrees();
  const left = await putRepositoriesBack(common, back, saved.kept ?? []);
  const words = left.map((path) =>
    l10n.t('{0} couldn’t be put back. It’s in {1}.', path, keptFolder(common, record.id)),
  );
  return { record: back, notes: [...notes, ...words] };
}

async function find(common: string, record: WorktreeRecord): Promise<ListedWorktree | undefined> {
  return (await listWorktrees(common)).find(({ path }) => path === record.path);
}

/** Throws a `WorktreeProblem` if the user has locked the worktree. */
function assertUnlocked({ locked, path }: Pick<ListedWorktree, 'locked' | 'path'>): void {
  if (locked === undefined) return;
  const unlock = l10n.t('Run “git worktree unlock” first.');
  throw new WorktreeProblem(
    locked === ''
      ? l10n.t('The worktree {0} is locked. {1}', path, unlock)
      : l10n.t('The worktree {0} is locked ({1}). {2}', path, locked, unlock),
  );
}

/** The status with which git ends if it refuses before it has done anything. */
const refused = 128;

/** Throws a `WorktreeProblem` if Parley wouldn't remove a worktree: the user has locked it, or the folder isn't the one that Parley made. */
export async function assertRemovable(
  common: string,
  record: WorktreeRecord,
  listed: Pick<ListedWorktree, 'locked' | 'path'>,
): Promise<void> {
  assertUnlocked(listed);
  await assertOwnFolder(common, record);
}

/** Removes a worktree's folder, if it is the one that Parley made. Resolves to whether some of it is left, which git has forgotten. */
async function removeFolder(common: string, record: WorktreeRecord, listed: ListedWorktree): Promise<boolean> {
  await assertRemovable(common, record, listed);
  // Without force, git refuses untracked files and submodules.
  const removed = await userGit(common, ['worktree', 'remove', '--force', listed.path]);
  const isThere = (await lstat(listed.path).catch(() => undefined)) !== undefined;
  if (!isThere) return false;
  const isListed = (await listWorktrees(common)).some(({ path }) => path === listed.path);
  if (isListed || removed.code === refused || removed.code === null) {
    throw reportedProblem(l10n.t('Couldn’t remove the worktree'), removed);
  }
  return true;
}

/** Removes the rest of a folder, if it is still the one that Parley made. */
async function removeOwnRest(common: string, record: WorktreeRecord): Promise<void> {
  if (!(await lstat(record.path).catch(() => undefined))) return;
  await assertOwnFolder(common, record);
  await removeRest(record.path);
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

/** Deletes a branch if its last commit is still `tip`. */
async function deleteBranch(common: string, branch: string, tip: string): Promise<void> {
  const isInUse = (await listWorktrees(common)).some((one) => one.branch === branch);
  const deleted = isInUse
    ? await userGit(common, ['branch', '--quiet', '-d', '--', branch])
    : await plainGit(common, ['update-ref', '-d', `refs/heads/${branch}`, tip]);
  const isGone = !(await branchNames({ root: common })).includes(branch);
  if (!isGone) throw reportedProblem(l10n.t('Couldn’t delete the branch “{0}”', branch), deleted);
  // It has no section if it follows no other branch.
  await userGit(common, ['config', '--remove-section', `branch.${branch}`]);
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
  const gitFolder = await gitFolderOf(path);
  for (const name of ['rebase-merge', 'rebase-apply', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'BISECT_LOG']) {
    if ((await lstat(join(gitFolder, name)).catch(() => undefined)) === undefined) continue;
    throw new WorktreeProblem(
      l10n.t('A merge or a rebase isn’t finished in {0}. Finish or abort it there first.', path),
    );
  }
}

/** Keeps what is staged if the files have changed since. Resolves to its commit. Throws a `WorktreeProblem` if there are conflicts. */
async function keepStaged(path: string, id: string): Promise<string | undefined> {
  const failed = l10n.t('Couldn’t save the worktree');
  const git = (args: readonly string[]) => plainGit(path, args, '', ownIdentity);
  // 100644 0123… 2\tpath
  const conflict = partsOf(await git(['ls-files', '-z', '--unmerged']))[0]?.replace(/^.*?\t/s, '');
  if (conflict !== undefined) {
    throw new WorktreeProblem(l10n.t('{0} has conflicts that aren’t resolved. Resolve them there first.', conflict));
  }
  const plain = ['--quiet', '--ignore-submodules=all'];
  const [isStaged, isChanged] = [
    (await git(['diff-index', '--cached', ...plain, 'HEAD', '--'])).code === 1,
    (await git(['diff-files', ...plain])).code === 1,
  ];
  if (!isStaged || !isChanged) return undefined;
  const tree = await git(['write-tree']);
  if (tree.code !== 0) throw reportedProblem(failed, tree);
  const commit = await git(['commit-tree', lineOf(tree), '-p', 'HEAD', '-m', 'Staged in a Parley worktree']);
  if (commit.code !== 0) throw reportedProblem(failed, commit);
  const kept = await git(['update-ref', stagedRef(id), lineOf(commit)]);
  if (kept.code !== 0) throw reportedProblem(failed, kept);
  return lineOf(commit);
}

/** Commits all files without hooks and signing, which might ask or push. */
async function commitAll(path: string, message: string): Promise<void> {
  const failed = l10n.t('Couldn’t save the worktree');
  await stageAll(path, failed, userGit);
  const same = await plainGit(path, ['diff-index', '--cached', '--quiet', '--ignore-submodules=dirty', 'HEAD', '--']);
  // A filter can make the files what they were.
  if (same.code === 0) return;
  const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false'];
  const committed = await userGit(path, [...quiet, 'commit', '--quiet', '--no-verify', '--message', message]);
  if (committed.code !== 0) throw reportedProblem(failed, committed);
}
