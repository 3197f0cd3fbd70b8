import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { SessionListing } from '../../src/shared/pages/messages';
import { icon } from '../base/icon';

/** A session's state in words, empty if there is nothing to say, and as a mark. */
export interface SessionState {
  readonly words: string;
  readonly mark: TemplateResult;
}

/** Returns the state of a session. The marks differ in shape and color, and names of tabs include the words. */
export function sessionState(listing: SessionListing, isUnread: boolean, spins: boolean): SessionState {
  const busy = icon('loading', spins ? 'spin' : 'run');
  const dot = (kind: string) => html`<span class="dot ${kind}" aria-hidden="true"></span>`;
  switch (listing.state) {
    case 'starting':
      return { words: l10n.t('starting'), mark: busy };
    case 'running':
      return { words: l10n.t('running'), mark: busy };
    case 'requires_action':
      return { words: l10n.t('waiting for you'), mark: dot('attn') };
    case 'closed':
      return { words: l10n.t('stopped'), mark: dot('err') };
    case 'idle':
      return isUnread ? { words: l10n.t('unread'), mark: dot('unread') } : { words: '', mark: dot('') };
  }
}

export function isRunning({ state }: SessionListing): boolean {
  return state === 'running' || state === 'starting';
}

/** Returns the titles of sessions in their order. Those of one agent with the same title are numbered. */
export function sessionTitles(sessions: readonly SessionListing[]): readonly string[] {
  const seen = new Map<string, number>();
  return sessions.map(({ title, agentName }) => {
    const shown = title || l10n.t('New session');
    const count = (seen.get(`${agentName}\n${shown}`) ?? 0) + 1;
    seen.set(`${agentName}\n${shown}`, count);
    return count === 1 ? shown : `${shown} (${count})`;
  });
}
