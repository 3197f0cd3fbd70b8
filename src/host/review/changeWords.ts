import * as l10n from '@vscode/l10n';
import type { Author } from '../../review/hunk';

/**
 * The icon of Undo, also in `package.json` and in the chat. It differs from Git's icon for reverting a change, which
 * restores another version and is beside ours in Git's peek.
 */
export const undoIcon = 'reply';

/** Formats the names of a change's authors. */
export function authorNames(authors: readonly Author[]): string {
  const names = authors.map((author) => (author.kind === 'user' ? l10n.t('you') : author.agentName));
  return [...new Set(names)].join(', ');
}

/** Formats the number of lines that a change removed. */
export function removedWords(count: number): string {
  return count === 1 ? l10n.t('1 line removed') : l10n.t('{0} lines removed', count);
}
