import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { SessionKey } from '../../src/shared/ids';
import type { SessionListing } from '../../src/shared/messages';
import { icon } from '../base/icon';

/** The data and actions of the tab row. */
export interface TabsProps {
  readonly sessions: readonly SessionListing[];
  readonly active: SessionKey | '';
  readonly unread: ReadonlySet<SessionKey>;
  select(session: SessionKey): void;
  close(session: SessionKey): void;
}

/**
 * Tracks sessions whose turn ended while another one was shown, from the session listings of successive page states. A session is read as
 * soon as it is shown.
 */
export class UnreadSessions {
  private before: ReadonlyMap<SessionKey, SessionListing['state']> = new Map();
  private readonly keys = new Set<SessionKey>();

  get all(): ReadonlySet<SessionKey> {
    return this.keys;
  }

  follow(sessions: readonly SessionListing[], active: SessionKey | ''): void {
    for (const { session, state } of sessions) {
      const was = this.before.get(session);
      const ended = (was === 'running' || was === 'requires_action') && (state === 'idle' || state === 'closed');
      if (ended) this.keys.add(session);
    }
    this.before = new Map(sessions.map(({ session, state }) => [session, state]));
    for (const key of this.keys) {
      if (key === active || !this.before.has(key)) this.keys.delete(key);
    }
  }
}

/**
 * Renders a tab for each open session. The close buttons are beside the tabs and not in the tab list, because a tab list may contain only
 * tabs; `aria-owns` lists them.
 */
export function tabs(props: TabsProps): TemplateResult {
  const ids = props.sessions.map(({ session }) => tabId(session)).join(' ');
  return html`<div class="pl-tabs">
    <div role="tablist" aria-label=${l10n.t('Open sessions')} aria-owns=${ids}></div>
    ${repeat(
      props.sessions,
      ({ session }) => session,
      (listing, at) => tab(props, listing, at),
    )}
  </div>`;
}

function tab(props: TabsProps, listing: SessionListing, at: number): TemplateResult {
  const { session } = listing;
  const selected = session === props.active;
  const title = listing.title || l10n.t('New session');
  // The shown session has its own spinner in the working line. Of the others, only the first is animated.
  const others = props.sessions.filter((other) => other.session !== props.active && isRunning(other));
  const state = stateOf(listing, props.unread.has(session), listing === others[0]);
  // On the start page, no tab is selected, so the first one is in the tab order.
  const inTabOrder = selected || (props.active === '' && at === 0);
  return html`<div class="pl-tab" data-selected=${String(selected)}>
    <button
      id=${tabId(session)}
      role="tab"
      class="label"
      aria-selected=${String(selected)}
      aria-label=${state.words === '' ? title : `${title}, ${state.words}`}
      title=${`${title}\n${listing.agentName}`}
      tabindex=${inTabOrder ? 0 : -1}
      @click=${() => props.select(session)}
      @keydown=${(event: KeyboardEvent) => onKey(event, props, session)}
    >
      ${state.mark}<span class="clip">${title}</span>
    </button>
    <button
      class="ib close"
      aria-label=${l10n.t('Close {0}', title)}
      title=${l10n.t('Close session')}
      tabindex=${inTabOrder ? 0 : -1}
      @click=${() => props.close(session)}
    >
      ${icon('close')}
    </button>
  </div>`;
}

function tabId(session: SessionKey): string {
  return `tab-${session.replace(/\W/g, '-')}`;
}

function isRunning({ state }: SessionListing): boolean {
  return state === 'running' || state === 'starting';
}

/** Renders the leading icon. The states differ in shape and color, and the tab's name includes the state. */
function stateOf(listing: SessionListing, isUnread: boolean, spins: boolean): { words: string; mark: TemplateResult } {
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

/** Arrow keys move between tabs, and Delete closes one. The button itself handles Enter and Space. */
function onKey(event: KeyboardEvent, props: TabsProps, session: SessionKey): void {
  if (event.key === 'Delete') {
    event.preventDefault();
    props.close(session);
    return;
  }
  const row = (event.currentTarget as HTMLElement).closest('.pl-tabs');
  const all = [...(row?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])];
  const at = all.indexOf(event.currentTarget as HTMLElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  all[(to + all.length) % all.length]?.focus();
}
