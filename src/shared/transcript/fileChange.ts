import * as l10n from '@vscode/l10n';
import type { FileChange, ToolCallContent } from './content';

/** Returns the paths of the files that an item of a tool call's content changes. */
export function changedPaths(item: ToolCallContent): readonly string[] {
  if (item.type === 'diff') return [item.path];
  if (item.type !== 'change') return [];
  return item.oldPath === undefined ? [item.path] : [item.path, item.oldPath];
}

/** Describes a change without its text: "Delete: notes.md". `show` returns the form in which a path is shown. */
export function changeWords(change: FileChange, show: (path: string) => string = (path) => path): string {
  const words = wordsOf(change, show);
  return change.isBinary ? l10n.t('{0} (binary)', words) : words;
}

function wordsOf({ operation, path, oldPath }: FileChange, show: (path: string) => string): string {
  const from = oldPath === undefined ? '?' : show(oldPath);
  switch (operation) {
    case 'add':
      return l10n.t('Add: {0}', show(path));
    case 'delete':
      return l10n.t('Delete: {0}', show(path));
    case 'move':
      return l10n.t('Move: {0} → {1}', from, show(path));
    case 'copy':
      return l10n.t('Copy: {0} → {1}', from, show(path));
    case 'modify':
      return l10n.t('Change: {0}', show(path));
    case 'other':
      return oldPath === undefined ? l10n.t('Change: {0}', show(path)) : l10n.t('Change: {0} → {1}', from, show(path));
  }
}
