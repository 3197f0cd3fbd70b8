import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { notTrustedSentence } from '../../session/notTrusted';
import { sectionsOf, type AgentListEnd, type SessionRow } from '../../shared/pages/sessionRows';
import {
  placeWords,
  rowTitle,
  sectionTitle,
  stateWords,
  timeAgo,
  waitingWords,
  workplaceWords,
} from '../../shared/pages/sessionRowWords';

/** The action of an entry in the quick pick of sessions. */
export type SessionChoice =
  /** Opens the session of this row. */
  | { readonly does: 'open'; readonly id: string }
  /** Asks an agent for sessions, or for a login. */
  | { readonly does: 'ask'; readonly end: AgentListEnd }
  /** Lets the user trust the folder. */
  | { readonly does: 'trust' }
  | { readonly does: 'nothing' };

/** An entry of the quick pick. Its `id` stays the same while the list grows. */
export interface SessionItem extends vscode.QuickPickItem {
  readonly id: string;
  readonly choice: SessionChoice;
}

/** The data that the quick pick is created from. */
export interface SessionsShown {
  readonly rows: readonly SessionRow[];
  readonly ends: readonly AgentListEnd[];
  /** True if agents can start in this folder. */
  readonly isTrusted: boolean;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** Returns all sessions in the sections of the sessions page, and then what agents' own lists say. */
export function sessionItems({ rows, ends, isTrusted, now }: SessionsShown): SessionItem[] {
  const items = sectionsOf(rows, now).flatMap((section) => [
    separator(sectionTitle(section.name)),
    ...section.rows.map((row) => rowItem(row, now)),
  ]);
  const rest = [...ends.map(endItem), ...(isTrusted ? [] : [trustItem()])];
  return rest.length === 0 ? items : [...items, separator(l10n.t('Sessions stored by agents')), ...rest];
}

function rowItem(row: SessionRow, now: number): SessionItem {
  const { id, folder, branch = '', workplace } = row;
  const copy = workplace === 'ownCopy' ? workplaceWords(row) : '';
  const place = row.place === 'here' ? l10n.t('open') : placeWords(row);
  const joined = (separatedBy: string, ...parts: readonly string[]) =>
    parts.filter((part) => part !== '').join(separatedBy);
  return {
    id,
    label: rowTitle(row),
    iconPath: iconOf(row),
    description: joined(', ', row.agentName, stateWords(row, false), place),
    detail: joined(' · ', folder, copy, branch, timeAgo(row.at, now, vscode.env.language), waitingWords(row)),
    choice: { does: 'open', id },
  };
}

/** The icons mean what the marks of the rows on the page mean, and where a session is stored. */
function iconOf({ state, place, isPinned, isArchived }: SessionRow): vscode.ThemeIcon {
  const icon = (id: string, color?: string) =>
    color === undefined ? new vscode.ThemeIcon(id) : new vscode.ThemeIcon(id, new vscode.ThemeColor(color));
  if (state === 'needsYou') return icon('circle-filled', 'list.warningForeground');
  if (state === 'failed') return icon('circle-filled', 'list.errorForeground');
  if (state === 'running') return icon('loading~spin');
  if (isArchived) return icon('archive');
  if (isPinned) return icon('pinned');
  if (place === 'here') return icon('comment-discussion');
  if (place === 'otherWindow') return icon('multiple-windows');
  return icon(place === 'agent' ? 'terminal' : 'history');
}

function endItem(end: AgentListEnd): SessionItem {
  const { agentId, agentName, state, problem = '' } = end;
  const item = (label: string, choice: SessionChoice, description = ''): SessionItem => ({
    id: `${state} ${agentId}`,
    label,
    description,
    alwaysShow: true,
    choice,
  });
  const ask = { does: 'ask', end } as const;
  switch (state) {
    case 'ask':
      return item(l10n.t('Show sessions from {0}', agentName), ask, l10n.t('starts the agent'));
    case 'more':
      return item(l10n.t('Show more sessions from {0}', agentName), ask);
    case 'login':
      return item(problem, ask, l10n.t('Log In…'));
    case 'loading':
      return item(l10n.t('Loading sessions from {0}…', agentName), { does: 'nothing' });
    case 'problem':
      return item(problem, { does: 'nothing' });
  }
}

function trustItem(): SessionItem {
  return {
    id: 'trust',
    label: notTrustedSentence(),
    alwaysShow: true,
    description: l10n.t('Manage trust'),
    choice: { does: 'trust' },
  };
}

function separator(label: string): SessionItem {
  return { id: `separator ${label}`, label, kind: vscode.QuickPickItemKind.Separator, choice: { does: 'nothing' } };
}
