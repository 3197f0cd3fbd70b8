import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ListedSession } from '../../acp/decodeSessions';
import type { AgentSpec } from '../../agent/agentSpec';
import type { AgentSessions } from './agentSessions';
import type { StoredListing } from './sessionStore';

/** What an entry of the list of sessions does. */
export type SessionChoice =
  | { readonly does: 'open'; readonly listing: StoredListing }
  | { readonly does: 'takeUp'; readonly spec: AgentSpec; readonly listed: ListedSession }
  | { readonly does: 'more'; readonly from: AgentSessions }
  | { readonly does: 'ask'; readonly spec: AgentSpec }
  | { readonly does: 'nothing' };

/** An entry of the list of sessions. `id` stays the same while the list grows. */
export interface SessionItem extends vscode.QuickPickItem {
  readonly id: string;
  readonly choice: SessionChoice;
}

/** The buttons of an entry. */
export interface ItemButtons {
  readonly rename: vscode.QuickInputButton;
  readonly remove: vscode.QuickInputButton;
}

/** What the list is made from. */
export interface SessionsShown {
  /** Parley's own, newest first. */
  readonly stored: readonly StoredListing[];
  /** Agents' names for sessions that are open and not stored yet. */
  readonly open: ReadonlySet<string>;
  readonly lists: readonly AgentSessions[];
  /** Agents that do not run and may be asked. */
  readonly others: readonly AgentSpec[];
}

/** Tells sessions of one agent from those of another. */
export function sessionMark(agentId: string, sessionId: string): string {
  return `${agentId}\n${sessionId}`;
}

/** All entries: the sessions, Parley's own and what agents list besides, newest first; then what else there is to ask. */
export function sessionItems({ stored, open, lists, others }: SessionsShown, buttons: ItemButtons): SessionItem[] {
  const ours = new Set(open);
  for (const { agentId, sessionId } of stored) if (sessionId) ours.add(sessionMark(agentId, sessionId));
  const dated = [
    ...stored.map((listing) => ({ at: listing.updatedAt, item: ownItem(listing, buttons) })),
    ...lists.flatMap(({ spec, sessions, canDelete }) =>
      sessions
        .filter(({ sessionId }) => !ours.has(sessionMark(spec.id, sessionId)))
        .map((listed) => ({
          at: listed.updatedAt ?? 0,
          item: listedItem(spec, listed, canDelete ? [buttons.remove] : []),
        })),
    ),
  ].sort((a, b) => b.at - a.at);
  const ends = [...lists.flatMap(endItem), ...others.map(askItem)];
  const line = separator(l10n.t('Sessions that agents keep'));
  return [...dated.map(({ item }) => item), ...(ends.length > 0 ? [line, ...ends] : [])];
}

function ownItem(listing: StoredListing, { rename, remove }: ItemButtons): SessionItem {
  const { key, title, agentName, cwd, updatedAt, isOpen } = listing;
  return {
    id: `ours ${key}`,
    label: title === '' ? l10n.t('New session') : title,
    description: isOpen ? l10n.t('{0}, open', agentName) : agentName,
    detail: whereAndWhen(cwd, updatedAt),
    buttons: [rename, remove],
    choice: { does: 'open', listing },
  };
}

function listedItem(spec: AgentSpec, listed: ListedSession, buttons: readonly vscode.QuickInputButton[]): SessionItem {
  const { sessionId, title, cwd, updatedAt } = listed;
  return {
    id: `listed ${sessionMark(spec.id, sessionId)}`,
    label: title === '' ? sessionId : title,
    description: spec.name,
    detail: whereAndWhen(cwd, updatedAt),
    buttons,
    choice: { does: 'takeUp', spec, listed },
  };
}

/** What there is behind the sessions of an agent that are known. */
function endItem(list: AgentSessions): SessionItem[] {
  const { spec, state, hasMore } = list;
  const item = (label: string, choice: SessionChoice): SessionItem[] => [
    { id: `end ${spec.id}`, label, alwaysShow: true, choice },
  ];
  if (state === 'loading') return item(l10n.t('Asking {0} for its sessions…', spec.name), { does: 'nothing' });
  if (state !== 'ready') return item(state.problem, { does: 'nothing' });
  return hasMore ? item(l10n.t('More sessions of {0}', spec.name), { does: 'more', from: list }) : [];
}

function askItem(spec: AgentSpec): SessionItem {
  return {
    ...{ id: `ask ${spec.id}`, label: l10n.t('Ask {0} for its sessions', spec.name), alwaysShow: true },
    ...{ description: l10n.t('starts it'), choice: { does: 'ask', spec } },
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
