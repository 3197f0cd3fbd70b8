import * as l10n from '@vscode/l10n';
import type { AttentionKind, SessionFacts } from './attentionModel';

/** Returns the text of the status bar item: the agent's name, or the number of sessions if there are several. */
export function statusText(kind: 'waiting' | 'running', sessions: readonly SessionFacts[]): string {
  const { length } = sessions;
  const name = sessions[0]?.agentName ?? '';
  if (kind === 'waiting') {
    return length === 1 ? l10n.t('{0} is waiting for you', name) : l10n.t('{0} sessions are waiting for you', length);
  }
  return length === 1 ? l10n.t('{0} is running', name) : l10n.t('{0} sessions are running', length);
}

/** Returns what a click on the status bar item does. */
export function statusTooltip(kind: 'waiting' | 'running', { title }: SessionFacts): string {
  if (kind === 'waiting') return title === '' ? l10n.t('Show the request') : l10n.t('Show the request in “{0}”', title);
  return title === '' ? l10n.t('Show the session') : l10n.t('Show “{0}”', title);
}

export function badgeTooltip(requests: number): string {
  return requests === 1 ? l10n.t('1 request needs your answer') : l10n.t('{0} requests need your answer', requests);
}

/** Returns an event as the title of a notification that shows the session's title below. */
export function eventTitle(kind: AttentionKind, agentName: string): string {
  switch (kind) {
    case 'request':
      return l10n.t('{0} is waiting for you', agentName);
    case 'turnEnd':
      return l10n.t('{0} is done', agentName);
    case 'failure':
      return l10n.t('{0} couldn’t finish', agentName);
  }
}

/** Returns an event as a sentence that names the session. */
export function eventSentence(kind: AttentionKind, { agentName, title }: SessionFacts): string {
  if (title === '') return `${eventTitle(kind, agentName)}.`;
  switch (kind) {
    case 'request':
      return l10n.t('{0} is waiting for you in “{1}”.', agentName, title);
    case 'turnEnd':
      return l10n.t('{0} is done with “{1}”.', agentName, title);
    case 'failure':
      return l10n.t('{0} couldn’t finish “{1}”.', agentName, title);
  }
}
