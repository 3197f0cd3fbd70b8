import * as l10n from '@vscode/l10n';
import type { WorktreeLoss } from '../../worktree/worktreeList';

/** Maximum number of files that are listed by name. */
const named = 5;

/** Says what would be lost with a worktree's folder, one line each. */
export function folderLossWords({ uncommitted, ignored }: Pick<WorktreeLoss, 'uncommitted' | 'ignored'>): string[] {
  const lines: string[] = [];
  if (uncommitted.length === 1) lines.push(l10n.t('1 uncommitted file: {0}', list(uncommitted)));
  if (uncommitted.length > 1) lines.push(l10n.t('{0} uncommitted files: {1}', uncommitted.length, list(uncommitted)));
  if (ignored.length > 0) lines.push(l10n.t('Files that Git ignores: {0}', list(ignored)));
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

function list(paths: readonly string[]): string {
  const shown = paths.slice(0, named).join(', ');
  const more = paths.length - named;
  return more > 0 ? l10n.t('{0}, and {1} more', shown, more) : shown;
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
