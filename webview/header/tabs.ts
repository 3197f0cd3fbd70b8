import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { SessionKey } from '../../src/shared/values/ids';
import type { SessionListing } from '../../src/shared/pages/messages';
import { icon } from '../base/icon';
import { monogram } from '../base/monogram';
import type { SessionsList, TabsProps } from './sessionsList';
import { folderWords } from '../base/folderWords';
import { isRunning, sessionState, sessionTitles } from './sessionState';

/** With fewer sessions, all tabs fit on every page. */
const minListed = 3;

/**
 * Renders a tab for each open session. Tabs that don't fit are scrolled out of sight, the shown session's never is, and a button opens the
 * list of all of them. The close buttons are beside the tabs and not in the tab list, because a tab list may contain only tabs; `aria-owns`
 * lists them.
 */
export function tabs(props: TabsProps, list: SessionsList): TemplateResult {
  const ids = props.sessions.map(({ session }) => tabId(session)).join(' ');
  const titles = sessionTitles(props.sessions);
  const hasAgents = new Set(props.sessions.map(({ agentName }) => agentName)).size > 1;
  return html`<div class="pl-tabs">
    <div class="strip">
      <div role="tablist" aria-label=${l10n.t('Open sessions')} aria-owns=${ids}></div>
      ${repeat(
        props.sessions,
        ({ session }) => session,
        (listing, at) => tab(props, listing, { at, title: titles[at] ?? '', hasAgents }),
      )}
    </div>
    ${props.sessions.length < minListed ? nothing : list.button(props)}
  </div>`;
}

/** How a session's tab differs from the others. */
interface TabPlace {
  readonly at: number;
  readonly title: string;
  /** Whether the sessions have different agents, so that their monograms tell them apart. */
  readonly hasAgents: boolean;
}

function tab(props: TabsProps, listing: SessionListing, { at, title, hasAgents }: TabPlace): TemplateResult {
  const { session } = listing;
  const selected = session === props.active;
  // The shown session has its own spinner in the working line. Of the others, only the first is animated.
  const others = props.sessions.filter((other) => other.session !== props.active && isRunning(other));
  const state = sessionState(listing, props.unread.has(session), listing === others[0]);
  // On the start page, no tab is selected, so the first one is in the tab order.
  const inTabOrder = selected || (props.active === '' && at === 0);
  return html`<div class="pl-tab" data-selected=${String(selected)}>
    <button
      id=${tabId(session)}
      role="tab"
      class="label"
      aria-selected=${String(selected)}
      aria-label=${state.words === '' ? title : `${title}, ${state.words}`}
      title=${[title, listing.agentName, folderWords(listing.folder)].filter(Boolean).join('\n')}
      tabindex=${inTabOrder ? 0 : -1}
      @click=${() => props.select(session)}
      @keydown=${(event: KeyboardEvent) => onKey(event, props, session)}
    >
      ${state.mark}${hasAgents ? monogram(listing.agentName) : nothing}<span class="clip">${title}</span>
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
