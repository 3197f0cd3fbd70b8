import * as l10n from '@vscode/l10n';
import { fullGit, type StartedPrograms } from '../../git/git';
import { compact } from '../../shared/values/decodeValue';
import { lineOf, partsOf, plainGit } from '../repository/userGit';
import type { FolderWorktree } from '../made/worktreeOf';
import { reportedProblem, WorktreeProblem, wordsOf } from '../repository/worktreeProblem';

/** What the branch of a worktree doesn't have: the worktree's uncommitted files, and commits of its detached head. */
export interface BranchRest {
  readonly files: readonly string[];
  readonly commits: number;
}

/** How a merge ended, by what is there afterward. In a conflict, git waits for the user to resolve it. */
export type MergedBranch =
  /** `conflicts` are the user's own uncommitted files, which git had set aside. */
  | { readonly kind: 'merged'; readonly rest: BranchRest; readonly conflicts: readonly string[] }
  | { readonly kind: 'current'; readonly rest: BranchRest }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  /** Everything is merged, but not committed. `words` say why, as git reported it. */
  | { readonly kind: 'uncommitted'; readonly words: string };

/**
 * Merges the branch of a worktree into the one of another working tree. Throws a `WorktreeProblem` if git refuses, which says whether something
 * was changed. `programs` is what the user said git may start, if it was asked about.
 */
export async function mergeBranch(
  { record, common }: FolderWorktree,
  root: string,
  programs?: StartedPrograms,
): Promise<MergedBranch> {
  const { branch } = record;
  const ref = `refs/heads/${branch}`;
  const commit = await commitOf(common, ref);
  if (commit === '') {
    const next = l10n.t('Use “Parley: Bring Changes Here” instead.');
    throw new WorktreeProblem(l10n.t('The branch “{0}” no longer exists. {1}', branch, next));
  }
  const rest = await restOf(record.path, ref);
  const isMerged = async () => (await plainGit(root, ['merge-base', '--is-ancestor', commit, 'HEAD'])).code === 0;
  if (await isMerged()) return { kind: 'current', rest };
  const before = await stateOf(root);
  // A tag may have the same name. Git's message has the name as it's given.
  const name = (await commitOf(root, branch)) === commit ? branch : ref;
  const merged = await fullGit(root, ['merge', '--no-edit', name, '--'], {
    readsErrors: true,
    ...compact({ programs }),
  });
  const after = await stateOf(root);
  if (await isMerged()) return { kind: 'merged', rest, conflicts: after.conflicts };
  if (before.merging === '' && after.merging === commit) {
    const { conflicts } = after;
    return conflicts.length > 0
      ? { kind: 'conflict', paths: conflicts }
      : { kind: 'uncommitted', words: wordsOf(merged) };
  }
  if (JSON.stringify(after) === JSON.stringify(before)) {
    throw reportedProblem(l10n.t('Couldn’t merge “{0}”, so nothing was changed', branch), merged);
  }
  const known = new Set(before.files);
  const changed = after.files.filter((line) => !known.has(line)).map((line) => line.slice(3));
  throw new WorktreeProblem(
    l10n.t(
      'Git didn’t complete the merge of “{0}”, but changed {1}. Look at them in Source Control and commit them, or run “git reset --merge” to undo the merge.',
      branch,
      changed.join(', '),
    ),
  );
}

async function commitOf(folder: string, name: string): Promise<string> {
  return lineOf(await plainGit(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]));
}

/** What a merge can change in a working tree. */
async function stateOf(root: string) {
  const [head, merging, status, conflicts] = [
    await commitOf(root, 'HEAD'),
    await commitOf(root, 'MERGE_HEAD'),
    await plainGit(root, [
      '--no-optional-locks',
      'status',
      '--porcelain=v1',
      '-z',
      '--no-renames',
      '--ignore-submodules=dirty',
    ]),
    await plainGit(root, ['diff', '--name-only', '--diff-filter=U', '-z', '--ignore-submodules=all']),
  ];
  return { head, merging, files: partsOf(status), conflicts: partsOf(conflicts) };
}

async function restOf(worktree: string, ref: string): Promise<BranchRest> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'];
  const files = partsOf(await plainGit(worktree, ['--no-optional-locks', ...args])).map((line) => line.slice(3));
  const commits = Number(lineOf(await plainGit(worktree, ['rev-list', '--count', 'HEAD', '--not', ref])));
  return { files, commits };
}
