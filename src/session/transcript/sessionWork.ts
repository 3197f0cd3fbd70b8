import * as l10n from '@vscode/l10n';
import { isWaitingForAnswer } from '../../shared/transcript/openQuestion';
import type { RowState } from '../../shared/pages/sessionRows';
import type { Entry, Transcript } from '../../shared/transcript/transcript';
import { listedState } from './listedState';

/** What an open session does. */
export interface SessionWork {
  readonly state: Exclude<RowState, 'closed'>;
  /** What it waits for, or why it failed. */
  readonly words?: string;
  /** Since when it waits or works, in milliseconds since the epoch. */
  readonly since?: number;
}

/** How far from the end of a transcript its open request is looked for, in entries. */
const reach = 400;

/** Returns what an open session does. */
export function sessionWork(transcript: Transcript): SessionWork {
  const { order, entries, view } = transcript;
  const since = view.activity.state === 'idle' ? {} : { since: view.activity.since };
  switch (listedState(transcript)) {
    case 'requires_action':
      return { state: 'needsYou', ...wordsOf(waitsFor(transcript)), ...since };
    case 'running':
    case 'starting':
      return { state: 'running', ...since };
    case 'closed': {
      const last = order.at(-1);
      const entry = last === undefined ? undefined : entries.get(last);
      return { state: 'failed', ...wordsOf(entry?.kind === 'error' ? entry.title : undefined) };
    }
    case 'idle':
      return { state: 'idle' };
  }
}

function wordsOf(words: string | undefined): { readonly words?: string } {
  return words === undefined ? {} : { words };
}

function waitsFor({ order, entries, view }: Transcript): string | undefined {
  if (view.connection.state === 'login') return l10n.t('Needs you to log in');
  for (const id of order.slice(-reach).reverse()) {
    const entry = entries.get(id);
    if (entry && isWaitingForAnswer(entry)) return requestWords(entry);
  }
  return undefined;
}

function requestWords(entry: Entry): string {
  if (entry.kind !== 'tool_call') return l10n.t('Has a question');
  switch (entry.toolKind) {
    case 'execute':
      return l10n.t('Wants to run a command');
    case 'edit':
      return l10n.t('Wants to edit a file');
    case 'delete':
      return l10n.t('Wants to delete a file');
    case 'move':
      return l10n.t('Wants to move a file');
    case 'read':
      return l10n.t('Wants to read a file');
    case 'fetch':
      return l10n.t('Wants to open a link');
    case 'switch_mode':
      return l10n.t('Wants to switch the mode');
    case 'search':
    case 'think':
    case 'other':
      return l10n.t('Needs your permission');
  }
}
