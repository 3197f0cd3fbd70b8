import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { RowAction, RowChange, RowTry } from '../../src/shared/pages/sessionRows';
import { ago, rowTitle, sectionTitle, stateWords, triesWords } from '../../src/shared/pages/sessionRowWords';
import { icon } from '../base/icon';
import { comma, part, rowDetails, spoken, stateDetail, stateMark } from './rowDetails';
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
  compare(row: ShownRow): void;
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
  const { sentence, tries } = row;
  const title = titleOf(row, above);
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
    title=${title}
    data-level=${levelOf(placed)}
    data-top=${top}
    data-height=${height}
    @click=${(event: MouseEvent) => look.click(event, placed)}
    @contextmenu=${(event: MouseEvent) => look.menu(event, placed)}
  >
    ${row.tries ? icon('split-horizontal', 'quiet') : stateMark(row.state, isUnread, look.spins(row))}
    <span class="nm clip"
      >${row.isPinned ? icon('pin', 'quiet') : nothing}${title}${row.isPinned ? spoken(l10n.t('pinned')) : nothing}${above ? spoken(aboveWords(row, above)) : nothing}</span
    >
    <span class="t2">${tries ? part('state', triesWords(tries)) : details(row, stateWords(row, isUnread), above)}</span>
    ${sentence === undefined ? nothing : html`<span class="said clip">${comma}${marked(sentence, look.searched)}</span>`}
    ${tries ? compareButton(row, look) : rowEnd(row, look)}
  </div>`;
}

/** Renders the end of the first line: the time, or the icons. */
function rowEnd(row: ShownRow, look: RowLook): TemplateResult {
  return html`<span class="when num">${comma}${ago(row.at, look.now, look.locale)}</span>
    <span class="acts" aria-hidden="true">${quickActions(row).map((action) => actionIcon(row, action, look))}</span>`;
}

/** An option of a list can't contain buttons. Enter does the same. */
function compareButton(row: ShownRow, look: RowLook): TemplateResult {
  return html`<span class="sr">, </span
    ><span
      class="compare btn sm"
      @click=${(event: Event) => {
        event.stopPropagation();
        look.compare(row);
      }}
      >${l10n.t('Compare')}</span
    >`;
}

/** Returns the title of a row. Tries below their task have its message as the title of that. */
function titleOf(row: ShownRow, above: ShownRow | undefined): string {
  return isTryBelow(row, above) ? row.try.name : rowTitle(row);
}

function isTryBelow(row: ShownRow, above: ShownRow | undefined): row is ShownRow & { readonly try: RowTry } {
  return row.try !== undefined && above?.task === row.try.task;
}

/** Says why a row is below another one. */
function aboveWords({ askedBy }: ShownRow, above: ShownRow): string {
  return askedBy === undefined ? l10n.t('a try of the task above') : l10n.t('started by {0}', above.agentName);
}

/**
 * Renders the second line: what the session does, its agent, where it works, and what waits. Of a try below its task, that is what it does, its
 * model, and its changes.
 */
function details(row: ShownRow, state: string, above: ShownRow | undefined): TemplateResult {
  if (!isTryBelow(row, above)) return rowDetails(row, state);
  const { detail = '' } = row.try;
  return html`${stateDetail(row, state)}${detail === '' ? nothing : part('', detail)}${counts(row)}`;
}

function counts({ added = 0, removed = 0 }: ShownRow): TemplateResult | typeof nothing {
  if (added + removed === 0) return nothing;
  return part('num', html`<span class="add">+${added}</span> <span class="del">−${removed}</span>`);
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
