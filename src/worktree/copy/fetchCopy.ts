import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { copyAround } from '../../git/copyPlaces';
import { objectFolders, openSource } from './copySource';
import { branchProblem } from '../repository/branchName';
import { newCommits } from './copyLoss';
import { copyTips } from './copyTips';
import { ownInit } from './ownCopy';
import { branchNames } from '../repository/repository';
import { lineOf, userGit } from '../repository/userGit';
import { goneProblem, reportedProblem, WorktreeProblem } from '../repository/worktreeProblem';
import { newRecordId, type WorktreeRecord } from '../made/worktreeRecord';

/** How long git may take for what an agent wrote, in milliseconds. */
const patience = 300_000;

/** A branch of a copy with commits that the user's repository doesn't have. */
export interface CopyBranch {
  /** Undefined for the commit that is checked out without a branch. */
  readonly name: string | undefined;
  readonly commit: string;
}

/** Lists the branches of a copy that have something new, the one that is checked out first. */
export async function copyBranches(record: WorktreeRecord): Promise<readonly CopyBranch[]> {
  const { branches, head } = await copyTips(record.path);
  const { ids } = await newCommits(record);
  const all: CopyBranch[] = [...branches].map(([name, commit]) => ({ name, commit }));
  if (head && 'commit' in head) all.unshift({ name: undefined, commit: head.commit });
  const isCurrent = ({ name }: CopyBranch) => head !== undefined && 'branch' in head && head.branch === name;
  const found = all.filter(({ commit }) => ids.has(commit));
  return [...found.filter(isCurrent), ...found.filter((one) => !isCurrent(one))];
}

/**
 * Fetches commits of a copy into the user's repository as a new branch. Git checks each object; nothing that is configured in the copy is read.
 * Throws a `WorktreeProblem`, and then there is no branch.
 */
export async function fetchBranch(record: WorktreeRecord, { commit }: CopyBranch, branch: string): Promise<void> {
  const { path, from } = record;
  const failed = l10n.t('Couldn’t fetch the branch');
  const place = copyAround(path);
  const { repository } = await openSource(from);
  if (!place) throw goneProblem(record);
  if (!repository) {
    throw new WorktreeProblem(l10n.t('{0} isn’t in a Git repository. Run “git init” there and commit first.', from));
  }
  const problem = await branchProblem(from, branch, await branchNames({ root: from }));
  if (problem !== undefined) throw new WorktreeProblem(problem);
  const staging = join(place.around, `fetch-${newRecordId()}`);
  try {
    // Only its objects are the agent's. The reference, and everything that git could start, is Parley's.
    await ownInit(staging, dirname(place.around), repository.format);
    const objects = [...(await objectFolders(repository.common)), join(path, '.git', 'objects')];
    await mkdir(join(staging, 'objects', 'info'), { recursive: true });
    await writeFile(join(staging, 'objects', 'info', 'alternates'), `${objects.join('\n')}\n`);
    const name = 'refs/heads/fetched';
    await mkdir(join(staging, 'refs', 'heads'), { recursive: true });
    await writeFile(join(staging, name), `${commit}\n`);
    const checks = ['-c', 'fetch.fsckObjects=true', '-c', 'transfer.fsckObjects=true', '-c', 'gc.auto=0'];
    const only = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--refmap=', '--quiet'];
    const args = [...checks, 'fetch', ...only, '--', staging, `${name}:refs/heads/${branch}`];
    const fetched = await userGit(from, args, '', {}, patience);
    const has = lineOf(await userGit(from, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`]));
    if (fetched.code !== 0 || has !== commit) throw reportedProblem(failed, fetched);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
