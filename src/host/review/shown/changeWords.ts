import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { workspacePath } from '../../base/folders';
import type { ChangePosition } from '../../../review/shown/changePlaces';
import type { MarkChange, TraitChange } from '../../../review/log/fileTraits';
import type { Author } from '../../../review/hunks/hunk';
import { agentNames } from '../../../shared/changes/reviewPageWords';

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

/** Says what agents did to a file, by the number of changes that wait in it. */
export function changedWords(authors: readonly Author[], count: number, isCreated: boolean): string {
  const names = agentNames([...new Set(authors.flatMap((one) => (one.kind === 'agent' ? [one.agentName] : [])))]);
  if (isCreated) return l10n.t('{0} created this file', names);
  return count === 1 ? l10n.t('{0} changed 1 place', names) : l10n.t('{0} changed {1} places', names, count);
}

/** Formats the position of a change among all. */
export function positionWords({ at, count }: ChangePosition): string {
  return l10n.t('{0} of {1}', at, count);
}

/** Formats the number of lines that a change removed. */
export function removedWords(count: number): string {
  return count === 1 ? l10n.t('1 line removed') : l10n.t('{0} lines removed', count);
}

/** Says what changed besides text: the name, the permissions, or the byte order mark. */
export function traitWords(change: TraitChange): string {
  if (change.kind === 'rename') {
    return l10n.t('Renamed from {0}', workspacePath(vscode.Uri.parse(change.from)));
  }
  if (change.kind === 'mark') return markWords(change);
  if (((change.to ^ change.from) & 0o111) === 0) {
    return l10n.t('Permissions changed from {0} to {1}', change.from.toString(8), change.to.toString(8));
  }
  return (change.to & 0o111) === 0 ? l10n.t('No longer executable') : l10n.t('Made executable');
}

function markWords({ from, to }: MarkChange): string {
  if (to === 'none') return l10n.t('Byte order mark removed ({0})', markNames[from]);
  return from === 'none'
    ? l10n.t('Byte order mark added ({0})', markNames[to])
    : l10n.t('Encoding changed from {0} to {1}', markNames[from], markNames[to]);
}

const markNames = { none: '', utf8: 'UTF-8', utf16le: 'UTF-16 LE', utf16be: 'UTF-16 BE' } as const;
