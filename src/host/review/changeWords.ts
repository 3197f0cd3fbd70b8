import * as l10n from '@vscode/l10n';
import type { Author } from '../../review/hunk';

/** Names of those who made a change, as people read them. */
export function authorNames(authors: readonly Author[]): string {
  const names = authors.map((author) => (author.kind === 'user' ? l10n.t('you') : author.agentName));
  return [...new Set(names)].join(', ');
}
