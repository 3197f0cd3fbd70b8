import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { RowState, SessionRow } from '../../src/shared/pages/sessionRows';
import { placeWords, waitingWords, workplaceWords } from '../../src/shared/pages/sessionRowWords';
import { icon } from '../base/icon';

/* What every row of a session has: its mark, and the words of its second line. */

export const comma = html`<span class="sr">, </span>`;

/** Renders in words what only the icons of a row show. */
export function spoken(words: string): TemplateResult {
  return html`<span class="sr">, ${words}</span>`;
}

/** Renders a part of the second line. Each is shown whole or not at all, but for the first one. */
export function part(name: string, words: string | TemplateResult): TemplateResult {
  return html`${comma}<span class="part ${name}">${words}</span>`;
}

/** Renders what the session does, its agent, where it works, and what waits. */
export function rowDetails(row: SessionRow, state: string): TemplateResult {
  const others = [row.agentName, workplaceWords(row), placeWords(row), waitingWords(row)];
  return html`${stateDetail(row, state)}${others.filter((words) => words !== '').map((words) => part('', words))}`;
}

/** Renders what a session does. If that is only in its mark, it is said to screen readers alone. */
export function stateDetail(row: SessionRow, state: string): TemplateResult {
  return state === '' ? spoken(plainState(row)) : part('state', state);
}

function plainState({ state }: SessionRow): string {
  return state === 'idle' ? l10n.t('open') : l10n.t('closed');
}

/** Renders the mark of what a session does. Its shapes differ, too. */
export function stateMark(state: RowState, isUnread: boolean, spins: boolean): TemplateResult {
  const dot = (kind: string) => html`<span class="dot ${kind}" aria-hidden="true"></span>`;
  switch (state) {
    case 'needsYou':
      return dot('attn');
    case 'running':
      return icon('loading', spins ? 'spin' : 'run');
    case 'failed':
      return dot('err');
    case 'idle':
    case 'closed':
      return dot(isUnread ? 'unread' : '');
  }
}
