import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ListedSession } from '../../acp/decode/decodeSessions';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { notTrustedSentence } from '../../session/notTrusted';
import type { AgentSessions } from './agentSessions';
import type { StoredListing } from '../sessions/storedListing';
import { sessionMark } from './sessionMark';

/** The action of an entry in the session list. */
export type SessionChoice =
  | { readonly does: 'open'; readonly listing: StoredListing }
  | {
      readonly does: 'takeUp';
      readonly spec: AgentSpec;
      readonly listed: ListedSession;
      readonly from: AgentSessions;
    }
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
  readonly rename: vscode.QuickInputButton;
  readonly export: vscode.QuickInputButton;
  readonly archive: vscode.QuickInputButton;
  readonly unarchive: vscode.QuickInputButton;
  readonly remove: vscode.QuickInputButton;
}

/** The data that the list is created from. */
export interface SessionsShown {
  /** Parley's own sessions, newest first. */
  readonly stored: readonly StoredListing[];
  /** The agents' ids of open sessions that aren't stored yet. */
  readonly open: ReadonlySet<string>;
  readonly lists: readonly AgentSessions[];
  /** Agents that aren't running and can be asked for their sessions. */
  readonly others: readonly AgentSpec[];
  /** True if agents can start in this folder. */
  readonly trusted: boolean;
  /** True if only archived sessions are shown. */
  readonly archived: boolean;
}

/** Returns all entries: Parley's own sessions and those listed by agents, newest first, then further actions. */
export function sessionItems(shown: SessionsShown, buttons: ItemButtons): SessionItem[] {
  const { stored, open, lists, others, trusted, archived } = shown;
  const ours = new Set(open);
  for (const { agentId, sessionId } of stored) if (sessionId) ours.add(sessionMark(agentId, sessionId));
  const archiveButton = archived ? buttons.unarchive : buttons.archive;
  const canArchive = new Set(lists.filter(({ can }) => can?.archive).map(({ spec }) => spec.id));
  const dated = [
    ...stored
      .filter(({ isArchived = false }) => isArchived === archived)
      .map((listing) => {
        const isKept = listing.sessionId !== '' && canArchive.has(listing.agentId);
        // An export only reads, so it is also possible for a session that another window has open.
        const saved = listing.size > 0 ? [buttons.export] : [];
        const own = listing.isElsewhere
          ? saved
          : [buttons.rename, ...saved, ...(isKept ? [archiveButton] : []), buttons.remove];
        return { at: listing.updatedAt, item: ownItem(listing, own) };
      }),
    ...lists.flatMap((list) => {
      const { spec, sessions, can } = list;
      const able = [
        ...(can?.setTitle ? [buttons.rename] : []),
        ...(can?.archive ? [archiveButton] : []),
        ...(can?.delete ? [buttons.remove] : []),
      ];
      return sessions
        .filter(({ sessionId, isArchived }) => isArchived === archived && !ours.has(sessionMark(spec.id, sessionId)))
        .map((listed) => ({ at: listed.updatedAt ?? 0, item: listedItem(list, listed, able) }));
    }),
  ].sort((a, b) => b.at - a.at);
  const ends = [...lists.flatMap(endItem), ...(archived ? [] : trusted ? others.map(askItem) : [trustItem()])];
  const line = separator(l10n.t('Sessions stored by agents'));
  const canTurn = archived || canArchive.size > 0 || stored.some(({ isArchived }) => isArchived);
  return [
    ...dated.map(({ item }) => item),
    ...(ends.length > 0 ? [line, ...ends] : []),
    ...(canTurn ? [turnItem(archived)] : []),
  ];
}

function ownItem(listing: StoredListing, buttons: readonly vscode.QuickInputButton[]): SessionItem {
  const { key, title, agentName, cwd, updatedAt, isOpen, isElsewhere } = listing;
  const open = isElsewhere ? l10n.t('{0}, open in another window', agentName) : l10n.t('{0}, open', agentName);
  return {
    id: `ours ${key}`,
    label: title === '' ? l10n.t('New session') : title,
    description: isOpen ? open : agentName,
    detail: whereAndWhen(cwd, updatedAt),
    buttons,
    choice: { does: 'open', listing },
  };
}

function listedItem(
  list: AgentSessions,
  listed: ListedSession,
  buttons: readonly vscode.QuickInputButton[],
): SessionItem {
  const { sessionId, title, cwd, updatedAt } = listed;
  const { spec } = list;
  return {
    id: `listed ${sessionMark(spec.id, sessionId)}`,
    label: title === '' ? sessionId : title,
    description: list.isOpen(listed) ? l10n.t('{0}, open elsewhere', spec.name) : spec.name,
    detail: whereAndWhen(cwd, updatedAt),
    buttons,
    choice: { does: 'takeUp', spec, listed, from: list },
  };
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

function whereAndWhen(cwd: string, updatedAt: number | undefined): string {
  if (updatedAt === undefined) return basename(cwd);
  const when = new Date(updatedAt).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  return `${basename(cwd)}, ${when}`;
}
