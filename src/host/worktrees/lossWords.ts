import * as l10n from '@vscode/l10n';
import { keptFolder } from '../../worktree/repository/innerRepositories';
import type { WorktreeLoss } from '../../worktree/end/worktreeLoss';
import type { WorktreeRecord } from '../../worktree/made/worktreeRecord';

/** Maximum number of files that are listed by name. */
const named = 5;

type FolderLoss = Pick<WorktreeLoss, 'isCopy' | 'uncommitted' | 'overlooked' | 'ignored' | 'repositories' | 'detached'>;

/** Says what would be lost with a worktree's folder, one line each. */
export function folderLossWords({
  isCopy,
  uncommitted,
  overlooked,
  ignored,
  repositories,
  detached,
}: FolderLoss): string[] {
  const lines: string[] = [];
  if (isCopy && uncommitted.length > 0) {
    lines.push(l10n.t('Changed files that differ from those in your folder: {0}', listWords(uncommitted)));
  } else if (uncommitted.length === 1) lines.push(l10n.t('1 uncommitted file: {0}', listWords(uncommitted)));
  else if (uncommitted.length > 1)
    lines.push(l10n.t('{0} uncommitted files: {1}', uncommitted.length, listWords(uncommitted)));
  if (overlooked.length > 0) {
    lines.push(l10n.t('Changed files that Git was told to overlook: {0}', listWords(overlooked)));
  }
  if (ignored.length > 0) lines.push(l10n.t('Files that Git ignores: {0}', listWords(ignored)));
  if (repositories.length > 0) {
    const paths = repositories.map(({ path }) => path);
    lines.push(l10n.t('Repositories inside it, with their files and commits: {0}', listWords(paths)));
  }
  if (isCopy && detached > 0) {
    lines.push(
      detached === 1
        ? l10n.t('1 commit that your repository doesn’t have')
        : l10n.t('{0} commits that your repository doesn’t have', detached),
    );
  } else if (detached === 1) lines.push(l10n.t('1 commit that no branch has'));
  else if (detached > 1) lines.push(l10n.t('{0} commits that no branch has', detached));
  return lines;
}

/** Says what would be lost with a worktree's branch, one line each. */
export function branchLossWords({ unmerged, unpushed }: Pick<WorktreeLoss, 'unmerged' | 'unpushed'>): string[] {
  const lines: string[] = [];
  if (unmerged === 1) lines.push(l10n.t('1 commit that no other branch has'));
  if (unmerged > 1) lines.push(l10n.t('{0} commits that no other branch has', unmerged));
  if (unpushed === 1) lines.push(l10n.t('1 commit that isn’t pushed'));
  if (unpushed > 1) lines.push(l10n.t('{0} commits that aren’t pushed', unpushed));
  return lines;
}

/** Lists the first paths, and says how many more there are. */
export function listWords(paths: readonly string[]): string {
  const shown = paths.slice(0, named).join(', ');
  const more = paths.length - named;
  return more > 0 ? l10n.t('{0}, and {1} more', shown, more) : shown;
}

/** Says where the repositories are that were inside a worktree before it was saved. Empty if there were none. */
export function keptWords(common: string, { id, saved }: Pick<WorktreeRecord, 'id' | 'saved'>): string[] {
  const { kept = [] } = saved ?? {};
  if (kept.length === 0) return [];
  return [l10n.t('The repositories that were inside it are in {0}: {1}', keptFolder(common, id), listWords(kept))];
}

/** A size as people read it. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return l10n.t('{0} B', bytes);
  const units = [l10n.t('{0} kB', '{0}'), l10n.t('{0} MB', '{0}'), l10n.t('{0} GB', '{0}')];
  let size = bytes / 1000;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return (units[unit] ?? '').replace('{0}', size < 10 ? size.toFixed(1) : String(Math.round(size)));
}

/** How long ago something was. */
export function ageWords(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  if (days === 0) return l10n.t('made today');
  return days === 1 ? l10n.t('made yesterday') : l10n.t('made {0} days ago', days);
}
