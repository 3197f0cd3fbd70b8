import * as l10n from '@vscode/l10n';
import { lineOf, partsOf, userGit } from './userGit';
import type { FolderWorktree } from './worktreeOf';
import { reportedProblem, WorktreeProblem } from './worktreeProblem';

/** How a merge ended. In a conflict, git waits for the user to resolve it. */
export type MergedBranch =
  | { readonly kind: 'merged' }
  | { readonly kind: 'current' }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/** Merges the branch of a worktree into the one of another working tree. Throws a `WorktreeProblem` if git refuses, and changes nothing then. */
export async function mergeBranch({ record, common }: FolderWorktree, root: string): Promise<MergedBranch> {
  const ref = `refs/heads/${record.branch}`;
  const commit = lineOf(await userGit(common, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]));
  if (commit === '') {
    const next = l10n.t('Use “Parley: Bring Changes Here” instead.');
    throw new WorktreeProblem(l10n.t('The branch “{0}” no longer exists. {1}', record.branch, next));
  }
  const known = await userGit(root, ['merge-base', '--is-ancestor', commit, 'HEAD']);
  if (known.code === 0) return { kind: 'current' };
  const before = lineOf(await userGit(root, ['rev-parse', '--verify', '--quiet', 'MERGE_HEAD']));
  const merged = await userGit(root, ['merge', '--no-edit', record.branch, '--']);
  if (merged.code === 0) return { kind: 'merged' };
  const paths = partsOf(await userGit(root, ['diff', '--name-only', '--diff-filter=U', '-z']));
  const isStarted = lineOf(await userGit(root, ['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'])) === commit;
  if (before === '' && isStarted && paths.length > 0) return { kind: 'conflict', paths };
  throw reportedProblem(l10n.t('Couldn’t merge “{0}”, so nothing was changed', record.branch), merged);
}
