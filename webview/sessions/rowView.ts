import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { RowAction, RowChange } from '../../src/shared/pages/sessionRows';
import {
  ago,
  placeWords,
  rowTitle,
  sectionTitle,
  stateWords,
  unreviewedWords,
} from '../../src/shared/pages/sessionRowWords';
import { icon } from '../base/icon';
import { monogram } from '../base/monogram';
import type { PlacedRow, PlacedSection, ShownRow } from './rowLayout';

/** What a row is drawn with besides its place. */
export interface RowLook {
  readonly now: number;
  readonly locale: string;
  /** The row that keys act on. */
  readonly activeKey: string;
  /** Whether the session is the one on the page. */
  isShown(row: ShownRow): boolean;
  isSelected(row: ShownRow): boolean;
  isUnread(row: ShownRow): boolean;
  /** Whether its mark moves. At most one does. */
  spins(row: ShownRow): boolean;
  /** The words that a search looks for. */
  readonly searched: string;
  click(event: MouseEvent, placed: PlacedRow): void;
  menu(event: MouseEvent, placed: PlacedRow): void;
  act(row: ShownRow, action: QuickAction): void;
}

/** What the icons of a row do. */
export type QuickAction = RowChange | 'rename';

/** Returns the id of a row's element. */
export function rowElementId(key: string): string {
  return `session ${key}`.replace(/[^\w-]/g, (letter) => `_${letter.codePointAt(0) ?? 0}`);
}

/** Returns how far a row is set in, which is at most two levels. */
export function levelOf({ level }: Pick<PlacedRow, 'level'>): number | typeof nothing {
  return level === 0 ? nothing : Math.min(level, 2);
}

/** Renders a section with its rows in sight. */
export function sectionView(section: PlacedSection, count: number, look: RowLook): TemplateResult {
  const title = section.name === 'found' ? l10n.t('In conversations') : sectionTitle(section.name);
  return html`<div class="group" role="group" aria-label=${title} data-top=${section.top} data-height=${section.height}>
    <div class="sect" aria-hidden="true">${title}</div>
    ${section.rows.map((placed) => rowView(placed, count, look))}
  </div>`;
}

function rowView(placed: PlacedRow, count: number, look: RowLook): TemplateResult {
  const { row, key, top, height, position, above } = placed;
  const isUnread = look.isUnread(row);
  const { sentence } = row;
  const classes = ['pl-sess', key === look.activeKey ? 'active' : '', isUnread ? 'unread' : ''].join(' ');
  // What a screen reader says is the text of the row, so the time comes last.
  return html`<div
    class=${classes}
    id=${rowElementId(key)}
    role="option"
    aria-selected=${String(look.isSelected(row))}
    aria-current=${look.isShown(row) ? 'true' : nothing}
    aria-posinset=${position}
    aria-setsize=${count}
    title=${rowTitle(row)}
    data-level=${levelOf(placed)}
    data-top=${top}
    data-height=${height}
    @click=${(event: MouseEvent) => look.click(event, placed)}
    @contextmenu=${(event: MouseEvent) => look.menu(event, placed)}
  >
    ${mark(row, isUnread, look.spins(row))}
    <span class="nm clip"
      >${row.isPinned ? icon('pin', 'quiet') : nothing}${rowTitle(row)}${row.isPinned ? spoken(l10n.t('pinned')) : nothing}${above ? spoken(aboveWords(row, above)) : nothing}</span
    >
    <span class="t2">${details(row, stateWords(row, isUnread))}</span>
    ${sentence === undefined ? nothing : html`<span class="said clip">${comma}${marked(sentence, look.searched)}</span>`}
    <span class="when num">${comma}${ago(row.at, look.now, look.locale)}</span>
    <span class="acts" aria-hidden="true">${quickActions(row).map((action) => actionIcon(row, action, look))}</span>
  </div>`;
}

const comma = html`<span class="sr">, </span>`;

/** Says why a row is below another one. */
function aboveWords({ askedBy }: ShownRow, above: ShownRow): string {
  if (askedBy !== undefined) return l10n.t('started by {0}', above.agentName);
  return l10n.t('another try of the task above');
}

/** Renders in words what only the icons of a row show. */
function spoken(words: string): TemplateResult {
  return html`<span class="sr">, ${words}</span>`;
}

/**
 * Renders the second line: its agent, what the session does, where it works, and what waits for review. What it does is
 * said after the agent, and shown before it.
 */
function details(row: ShownRow, state: string): TemplateResult {
  const place = placeWords(row);
  return html`${comma}${monogram(row.agentName)}<span class="clip agent">${row.agentName}</span>${
      state === '' ? spoken(plainState(row)) : html`${comma}<span class="state clip">${state}</span>`
    }${comma}<span class="clip folder">${row.folder}${row.branch === undefined ? nothing : ` · ${row.branch}`}</span>${
      place === '' ? nothing : html`${comma}${placeMark(row)}<span class="clip place">${place}</span>`
    }${counts(row)}`;
}

/** In a narrow list, an icon stands for where the session is. */
function placeMark({ place }: ShownRow): TemplateResult {
  return icon(place === 'agent' ? 'terminal' : 'open-in-window', 'quiet where');
}

/** Returns in words what only the mark of a row shows. */
function plainState({ state }: ShownRow): string {
  if (state === 'running') return l10n.t('running');
  return state === 'idle' ? l10n.t('open') : l10n.t('closed');
}

function mark(row: ShownRow, isUnread: boolean, spins: boolean): TemplateResult {
  const dot = (kind: string) => html`<span class="dot ${kind}" aria-hidden="true"></span>`;
  switch (row.state) {
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

function counts(row: ShownRow): TemplateResult | typeof nothing {
  const { added = 0, removed = 0, unreviewed = 0 } = row;
  if (unreviewed === 0) return nothing;
  return html`${comma}<span class="num counts" data-files=${unreviewed} title=${unreviewedWords(row)}
      ><span class="add">+${added}</span> <span class="del">−${removed}</span
      ><span class="files"><span class="sep"> · </span>${unreviewedWords(row)}</span></span
    >`;
}

/** Returns the actions that a row's icons offer. All others are in its menu. */
function quickActions({ actions, isPinned, isArchived }: ShownRow): readonly QuickAction[] {
  const has = (action: RowAction) => actions.includes(action);
  return [
    ...(has('pin') && !isArchived ? [isPinned ? ('unpin' as const) : ('pin' as const)] : []),
    ...(has('rename') ? ['rename' as const] : []),
    ...(has('archive') ? [isArchived ? ('unarchive' as const) : ('archive' as const)] : []),
  ];
}

const icons: Readonly<Record<QuickAction, string>> = {
  pin: 'pin',
  unpin: 'pin',
  rename: 'edit',
  archive: 'archive',
  unarchive: 'discard',
  close: 'close',
  delete: 'trash',
};

/** Returns the name of an action. */
export function actionName(action: QuickAction): string {
  switch (action) {
    case 'pin':
      return l10n.t('Pin');
    case 'unpin':
      return l10n.t('Unpin');
    case 'rename':
      return l10n.t('Rename');
    case 'archive':
      return l10n.t('Archive');
    case 'unarchive':
      return l10n.t('Unarchive');
    case 'close':
      return l10n.t('Close');
    case 'delete':
      return l10n.t('Delete');
  }
}

/** An option of a list can't contain buttons. Keys and the row's menu do the same. */
function actionIcon(row: ShownRow, action: QuickAction, look: RowLook): TemplateResult {
  return html`<span
    class="ib"
    data-action=${action}
    title=${actionName(action)}
    @click=${(event: Event) => {
      event.stopPropagation();
      look.act(row, action);
    }}
    >${icon(icons[action])}</span
  >`;
}

/** Renders a sentence with the words of a search in bold. */
function marked(sentence: string, searched: string): TemplateResult {
  const words = searched.toLowerCase().split(/\s+/).filter(Boolean);
  const parts: (string | TemplateResult)[] = [];
  const lower = sentence.toLowerCase();
  let at = 0;
  while (at < sentence.length) {
    const next = words
      .map((word) => ({ word, start: lower.indexOf(word, at) }))
      .filter(({ start }) => start >= 0)
      .sort((one, other) => one.start - other.start)[0];
    if (!next) break;
    parts.push(sentence.slice(at, next.start));
    at = next.start + next.word.length;
    parts.push(html`<b>${sentence.slice(next.start, at)}</b>`);
  }
  return html`${parts}${sentence.slice(at)}`;
}
