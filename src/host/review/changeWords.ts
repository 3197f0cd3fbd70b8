import * as l10n from '@vscode/l10n';
import type { Author } from '../../review/hunk';

/** Formats the names of a change's authors. */
export function authorNames(authors: readonly Author[]): string {
  const names = authors.map((author) => (author.kind === 'user' ? l10n.t('you') : author.agentName));
  return [...new Set(names)].join(', ');
}
