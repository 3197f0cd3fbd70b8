import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ListedSession } from '../../acp/decode/decodeSessions';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { SessionKey } from '../../shared/values/ids';
import { notTrustedSentence } from '../../session/notTrusted';
import { sectionsOf, type SessionRow } from '../../shared/pages/sessionRows';
import {
  placeWords,
  rowTitle,
  sectionTitle,
  stateWords,
  timeAgo,
  unreviewedWords,
} from '../../shared/pages/sessionRowWords';
import type { AgentSessions } from './agentSessions';
import type { StoredListing } from '../sessions/stored/storedListing';
import { agentRowId, type LiveSession } from './sessionRows';

/** The action of an entry in the session list. */
export type SessionChoice =
  | { readonly does: 'open'; readonly listing: StoredListing }
  /** Shows an open session that isn't stored yet. */
  | { readonly does: 'show'; readonly session: LiveSession }
  | {
      readonly does: 'openListed';
      readonly spec: AgentSpec;
      readonly listed: ListedSession;
      readonly from: AgentSessions;
    }
  /** Shows a session in the window that has it. */
  | { readonly does: 'openElsewhere'; readonly session: SessionKey }
  | { readonly does: 'more'; readonly from: AgentSessions }
  | { readonly does: 'ask' | 'logIn'; readonly spec: AgentSpec }
  /** Switches between archived and other sessions. */
  | { readonly does: 'turn' }
  /** Lets the user trust the folder. */
  | { readonly does: 'trust' }
  | { readonly does: 'nothing' };

/** An entry of the session list. Its `id` stays the same while the list grows. */
export interface SessionItem extends vscode.QuickPickItem {
  readonly id: string;
  readonly choice: SessionChoice;
}

/** The buttons of an entry. */
export interface ItemButtons {
  readonly pin: vscode.QuickInputButton;
  readonly unpin: vscode.QuickInputButton;
  readonly rename: vscode.QuickInputButton;
  readonly export: vscode.QuickInputButton;
  readonly archive: vscode.QuickInputButton;
  readonly unarchive: vscode.QuickInputButton;
  readonly remove: vscode.QuickInputButton;
}

/** The data that the list is created from. */
export interface SessionsShown {
  /** All sessions, as the sessions page has them. */
  readonly rows: readonly SessionRow[];
  readonly live: readonly LiveSession[];
  readonly stored: readonly StoredListing[];
  /** The agents' lists whose sessions are among the rows. */
  readonly lists: readonly AgentSessions[];
  /** Those that can be continued in this view. */
  readonly ends: readonly AgentSessions[];
  /** Agents that aren't running and can be asked for their sessions. */
  readonly others: readonly AgentSpec[];
  /** True if agents can start in this folder. */
  readonly trusted: boolean;
  /** True if only archived sessions are shown. */
  readonly archived: boolean;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** Returns all sessions in the sections of the sessions page, and then further actions. */
export function sessionItems(shown: SessionsShown, buttons: ItemButtons): SessionItem[] {
  const { rows, lists, others, trusted, archived, now } = shown;
  const itemOf = itemMaker(shown, buttons);
  // The agent's own list of archived sessions may repeat some of the others.
  const unique = new Map(rows.map((row) => [row.id, row]));
  const sections = sectionsOf(
    [...unique.values()].filter(({ isArchived = false }) => isArchived === archived),
    now,
  );
  const items = sections.flatMap(({ name, rows: its }) => [separator(sectionTitle(name)), ...its.flatMap(itemOf)]);
  const ends = [...shown.ends.flatMap(endItem), ...(archived ? [] : trusted ? others.map(askItem) : [trustItem()])];
  const line = separator(l10n.t('Sessions stored by agents'));
  const canTurn = archived || lists.some(({ can }) => can?.archive) || rows.some(({ isArchived }) => isArchived);
  return [...items, ...(ends.length > 0 ? [line, ...ends] : []), ...(canTurn ? [turnItem(archived)] : [])];
}

function itemMaker(
  { live, stored, lists, archived, now }: SessionsShown,
  buttons: ItemButtons,
): (row: SessionRow) => SessionItem[] {
  const archiveButton = archived ? buttons.unarchive : buttons.archive;
  const pinButton = ({ isPinned }: SessionRow) => (archived ? [] : [isPinned ? buttons.unpin : buttons.pin]);
  const listings = new Map(stored.map((listing) => [listing.key, listing]));
  const sessions = new Map(live.map((session) => [session.key, session]));
  const listed = new Map(
    lists.flatMap((list) =>
      list.sessions.map((session) => [agentRowId(list.spec.id, session.sessionId), { list, session }] as const),
    ),
  );
  return (row) => {
    const { id, session: key } = row;
    const theirs = listed.get(id);
    if (theirs) {
      const { list, session } = theirs;
      const { spec, can } = list;
      const able = [...pinButton(row), ...(can?.setTitle ? [buttons.rename] : []), archiveButton, buttons.remove];
      const choice = { does: 'openListed', spec, listed: session, from: list } as const;
      return [rowItem(row, list.isOpen(session), now, able, choice)];
    }
    const listing = key && listings.get(key);
    const open = key && sessions.get(key);
    if (!listing && !open) {
      const isOther = key !== undefined && row.place === 'otherWindow';
      return isOther ? [rowItem(row, false, now, [], { does: 'openElsewhere', session: key })] : [];
    }
    // An export only reads, so it is also possible for a session that another window has open.
    const saved = listing && listing.size > 0 ? [buttons.export] : [];
    const own = [...pinButton(row), buttons.rename, ...saved, archiveButton, buttons.remove];
    const able = row.place === 'otherWindow' ? saved : own;
    const choice: SessionChoice | undefined = listing
      ? { does: 'open', listing }
      : open && { does: 'show', session: open };
    return choice ? [rowItem(row, false, now, able, choice)] : [];
  };
}

function rowItem(
  row: SessionRow,
  isOpenElsewhere: boolean,
  now: number,
  buttons: readonly vscode.QuickInputButton[],
  choice: SessionChoice,
): SessionItem {
  const { added = 0, removed = 0, unreviewed = 0, folder, branch = '' } = row;
  const review = unreviewed === 0 ? '' : `+${String(added)} −${String(removed)}, ${unreviewedWords(row)}`;
  const place = isOpenElsewhere ? l10n.t('open elsewhere') : row.place === 'here' ? l10n.t('open') : placeWords(row);
  const joined = (separatedBy: string, ...parts: readonly string[]) =>
    parts.filter((part) => part !== '').join(separatedBy);
  return {
    id: row.id,
    label: rowTitle(row),
    iconPath: iconOf(row),
    description: joined(', ', row.agentName, stateWords(row, false), place),
    detail: joined(' · ', folder, branch, timeAgo(row.at, now, vscode.env.language), review),
    buttons,
    choice,
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

function turnItem(archived: boolean): SessionItem {
  const label = archived ? l10n.t('Back to sessions') : l10n.t('Show archived sessions');
  return { id: 'turn', label, alwaysShow: true, choice: { does: 'turn' } };
}

/** Returns the entry after an agent's sessions, such as for loading more. */
function endItem(list: AgentSessions): SessionItem[] {
  const { spec, state, hasMore } = list;
  const item = (label: string, choice: SessionChoice): SessionItem[] => [
    { id: `end ${spec.id}`, label, alwaysShow: true, choice },
  ];
  const logIn = (label: string): SessionItem => ({
    id: `login ${spec.id}`,
    label,
    alwaysShow: true,
    description: l10n.t('Log In…'),
    choice: { does: 'logIn', spec },
  });
  if (state === 'loading') return item(l10n.t('Loading sessions from {0}…', spec.name), { does: 'nothing' });
  if (state !== 'ready' && state.wantsLogin) return [logIn(state.problem)];
  if (state !== 'ready') return item(state.problem, { does: 'nothing' });
  const open = list.wantsLogin ? [logIn(l10n.t('Log in to {0} to see which sessions are open', spec.name))] : [];
  return [
    ...open,
    ...(hasMore ? item(l10n.t('Show more sessions from {0}', spec.name), { does: 'more', from: list }) : []),
  ];
}

function askItem(spec: AgentSpec): SessionItem {
  return {
    id: `ask ${spec.id}`,
    label: l10n.t('Show sessions from {0}', spec.name),
    alwaysShow: true,
    description: l10n.t('starts the agent'),
    choice: { does: 'ask', spec },
  };
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
