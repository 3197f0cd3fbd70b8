import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { SessionKey } from '../../src/shared/values/ids';
import type { SessionListing } from '../../src/shared/pages/messages';
import { icon } from '../base/icon';
import { monogram } from '../base/monogram';
import { sessionState, sessionTitles } from './sessionState';

const listId = 'pl-sessions';

/** The data and actions of the tab row and of the list of sessions. */
export interface TabsProps {
  readonly sessions: readonly SessionListing[];
  readonly active: SessionKey | '';
  readonly unread: ReadonlySet<SessionKey>;
  select(session: SessionKey): void;
  close(session: SessionKey): void;
}

/**
 * The list of all open sessions with their states, which a button at the end of the tabs opens. While it is open, the focus is in the list:
 * arrow keys, Home, End, and letters move, Enter shows a session, Delete closes one, and Escape returns to the button.
 */
export class SessionsList {
  private readonly root: HTMLElement;
  private readonly changed: () => void;
  private isOpen = false;
  /** The session that Enter shows. */
  private at: SessionKey | '' = '';

  /** `root` contains the tabs and the list. `changed` draws both immediately. */
  constructor(root: HTMLElement, changed: () => void) {
    this.root = root;
    this.changed = changed;
    root.addEventListener('focusout', ({ relatedTarget }) => {
      if (!this.isOpen || !(relatedTarget instanceof Element) || relatedTarget.closest('.pl-sessions, .all')) return;
      // The element that gets the focus must not be replaced while it does.
      queueMicrotask(() => this.close(false));
    });
    document.addEventListener('pointerdown', ({ target }) => {
      if (this.isOpen && target instanceof Element && !target.closest('.pl-sessions, .all')) this.close(false);
    });
  }

  /** Renders the button, with the number of sessions and a mark if one that isn't shown waits for the user. */
  button(props: TabsProps): TemplateResult {
    const waiting = props.sessions.filter(
      ({ session, state }) => session !== props.active && state === 'requires_action',
    ).length;
    const name = l10n.t('All {0} sessions', props.sessions.length);
    const words = waiting === 0 ? name : l10n.t('{0}, {1} waiting for you', name, waiting);
    return html`<button
      type="button"
      class="all"
      aria-label=${words}
      title=${words}
      aria-haspopup="listbox"
      aria-expanded=${String(this.isOpen)}
      aria-controls=${this.isOpen ? listId : nothing}
      @click=${() => (this.isOpen ? this.close() : this.open(props))}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown' || this.isOpen) return;
        event.preventDefault();
        this.open(props);
      }}
    >
      ${waiting === 0 ? nothing : html`<span class="dot attn" aria-hidden="true"></span>`}<span class="num"
        >${props.sessions.length}</span
      >${icon('chevron-down')}
    </button>`;
  }

  /** Renders the open list. */
  render(props: TabsProps): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing;
    const titles = sessionTitles(props.sessions);
    const isKnown = props.sessions.some(({ session }) => session === this.at);
    const at = isKnown ? this.at : (props.sessions[0]?.session ?? '');
    this.at = at;
    return html`<div
      class="pl-pop pl-sessions"
      id=${listId}
      role="listbox"
      tabindex="-1"
      aria-label=${l10n.t('Sessions')}
      aria-activedescendant=${optionId(at)}
      @keydown=${(event: KeyboardEvent) => this.onKey(event, props, titles)}
    >
      ${repeat(
        props.sessions,
        ({ session }) => session,
        (listing, index) => this.option(props, listing, titles[index] ?? ''),
      )}
    </div>`;
  }

  private option(props: TabsProps, listing: SessionListing, title: string): TemplateResult {
    const { session, agentName } = listing;
    const { words, mark } = sessionState(listing, props.unread.has(session), false);
    return html`<div
      class="opt ${session === this.at ? 'active' : ''}"
      id=${optionId(session)}
      role="option"
      aria-selected=${String(session === props.active)}
      title=${title}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => this.choose(props, session)}
    >
      ${mark}${monogram(agentName)}<span class="what grow"
        ><span class="clip">${title}</span><span class="sr">, </span
        ><span class="clip xs"
          >${words === '' ? nothing : html`${words}<span class="dim"> · </span>`}<span class="dim"
            >${agentName}</span
          ></span
        ></span
      >${session === props.active ? icon('check') : nothing}
    </div>`;
  }

  private open(props: TabsProps): void {
    this.isOpen = true;
    this.at = props.active;
    this.changed();
    this.root.querySelector<HTMLElement>('.pl-sessions')?.focus({ preventScroll: true });
    this.showActive();
  }

  private close(focusesButton = true): void {
    this.isOpen = false;
    this.changed();
    if (focusesButton) this.root.querySelector<HTMLElement>('.pl-tabs .all')?.focus({ preventScroll: true });
  }

  private choose(props: TabsProps, session: SessionKey): void {
    this.close();
    if (session !== props.active) props.select(session);
  }

  private onKey(event: KeyboardEvent, props: TabsProps, titles: readonly string[]): void {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = props.sessions.map(({ session }) => session);
    const at = keys.findIndex((session) => session === this.at);
    const letter = event.key.length === 1 ? event.key.toLowerCase() : '';
    switch (event.key) {
      case 'ArrowDown':
        this.move(keys[(at + 1) % keys.length]);
        break;
      case 'ArrowUp':
        this.move(keys[(at - 1 + keys.length) % keys.length]);
        break;
      case 'Home':
        this.move(keys[0]);
        break;
      case 'End':
        this.move(keys.at(-1));
        break;
      case 'Enter':
      case ' ':
        if (this.at !== '') this.choose(props, this.at);
        break;
      case 'Delete':
        if (this.at !== '') props.close(this.at);
        this.move(keys[at + 1] ?? keys[at - 1]);
        break;
      case 'Escape':
        this.close();
        break;
      case 'Tab':
        // The next focus is relative to the button.
        this.close();
        return;
      default: {
        const order = keys.map((_, index) => (at + 1 + index) % keys.length);
        const found = order.find((index) => letter !== '' && titles[index]?.toLowerCase().startsWith(letter));
        if (found === undefined) return;
        this.move(keys[found]);
      }
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private move(session: SessionKey | undefined): void {
    if (session !== undefined) this.at = session;
    this.changed();
    this.showActive();
  }

  private showActive(): void {
    this.root.querySelector('.pl-sessions .active')?.scrollIntoView({ block: 'nearest' });
  }
}

function optionId(session: SessionKey | ''): string {
  return `session-${session.replace(/\W/g, '-')}`;
}
