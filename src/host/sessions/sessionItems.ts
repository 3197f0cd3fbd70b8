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

/** All entries: Parley's own sessions, then what agents list besides, then agents that can be asked. What is added comes behind. */
export function sessionItems({ stored, open, lists, others }: SessionsShown, buttons: ItemButtons): SessionItem[] {
  const ours = new Set(open);
  for (const { agentId, sessionId } of stored) if (sessionId) ours.add(sessionMark(agentId, sessionId));
  return [
    ...stored.map((listing) => ownItem(listing, buttons)),
    ...lists.flatMap((list) => listItems(list, ours, buttons)),
    ...(others.length > 0 ? [separator(l10n.t('Not running'))] : []),
    ...others.map((spec) => ({
      ...{ id: `ask ${spec.id}`, label: l10n.t('Ask {0} for its sessions', spec.name), alwaysShow: true },
      ...{ description: l10n.t('starts it'), choice: { does: 'ask', spec } as const },
    })),
  ];
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

function listItems(list: AgentSessions, ours: ReadonlySet<string>, { remove }: ItemButtons): SessionItem[] {
  const { spec, state } = list;
  const items = list.sessions
    .filter(({ sessionId }) => !ours.has(sessionMark(spec.id, sessionId)))
    .map((listed): SessionItem => {
      const { sessionId, title, cwd, updatedAt } = listed;
      return {
        id: `listed ${sessionMark(spec.id, sessionId)}`,
        label: title === '' ? sessionId : title,
        description: spec.name,
        detail: whereAndWhen(cwd, updatedAt),
        buttons: list.canDelete ? [remove] : [],
        choice: { does: 'takeUp', spec, listed },
      };
    });
  const end = `end ${spec.id}`;
  if (state === 'loading') {
    items.push(line(end, l10n.t('Asking {0} for its sessions…', spec.name), { does: 'nothing' }));
  } else if (state !== 'ready') {
    items.push(line(end, state.problem, { does: 'nothing' }));
  } else if (list.hasMore) {
    items.push(line(end, l10n.t('More sessions of {0}', spec.name), { does: 'more', from: list }));
  }
  return items.length > 0 ? [separator(l10n.t('Kept by {0}', spec.name)), ...items] : [];
}

function line(id: string, label: string, choice: SessionChoice): SessionItem {
  return { id, label, alwaysShow: true, choice };
}

function separator(label: string): SessionItem {
  return { id: `separator ${label}`, label, kind: vscode.QuickPickItemKind.Separator, choice: { does: 'nothing' } };
}

function whereAndWhen(cwd: string, updatedAt: number | undefined): string {
  if (updatedAt === undefined) return basename(cwd);
  const when = new Date(updatedAt).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  return `${basename(cwd)}, ${when}`;
}
