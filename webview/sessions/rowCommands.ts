import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { FromWebview } from '../../src/shared/pages/messages';
import type { RowChange } from '../../src/shared/pages/sessionRows';
import { rowTitle } from '../../src/shared/pages/sessionRowWords';
import { openMenu } from '../base/menu';
import type { RowCursor } from './rowCursor';
import type { ShownRow } from './rowLayout';
import { actionName, rowElementId, type QuickAction } from './rowView';

/** What the commands need of the list. */
interface CommandedList {
  post(message: FromWebview): void;
  announce(sentence: string): void;
  /** Opens the row that keys act on. */
  open(): void;
  startRename(row: ShownRow): void;
  drawSoon(): void;
}

/** What the user does with rows: one, or all selected ones, by keys, by their icons, and by a menu. */
export class RowCommands {
  private readonly cursor: RowCursor;
  private readonly list: CommandedList;

  constructor(cursor: RowCursor, list: CommandedList) {
    this.cursor = cursor;
    this.list = list;
  }

  act(rows: readonly ShownRow[], action: QuickAction): void {
    const [first] = rows;
    if (!first) return;
    if (action === 'rename') {
      if (first.actions.includes('rename')) this.list.startRename(first);
      return;
    }
    const needed = action === 'unpin' ? 'pin' : action === 'unarchive' ? 'archive' : action;
    const ids = rows.filter(({ actions }) => actions.includes(needed)).map(({ id }) => id);
    if (ids.length === 0) return;
    this.list.post({ type: 'changeRows', ids, change: action });
    this.list.announce(doneWords(action, ids.length, first));
    this.cursor.selection.clear();
    if (action === 'delete' || action === 'archive' || action === 'unarchive') this.cursor.leave(ids);
    this.list.drawSoon();
  }

  /** Opens the menu of the chosen rows at the active one. */
  openMenu(owner: HTMLElement): void {
    const rows = this.cursor.chosen();
    const [first] = rows;
    const element = document.getElementById(rowElementId(this.cursor.active));
    if (!element || !first || first.actions.length === 0) return;
    const has = (action: (typeof first.actions)[number]) => rows.some(({ actions }) => actions.includes(action));
    const run = (action: QuickAction) => ({ label: actionName(action), run: () => this.act(rows, action) });
    openMenu(
      owner,
      l10n.t('Actions for {0}', rowTitle(first)),
      [
        ...(rows.length === 1 ? [{ label: l10n.t('Open'), run: () => this.list.open() }] : []),
        ...(rows.length === 1 && has('bringChanges')
          ? [{ label: l10n.t('Bring changes here'), run: () => this.bring(first) }]
          : []),
        ...(rows.length === 1 && has('reviewWorktree')
          ? [{ label: l10n.t('Ask another agent to review…'), run: () => this.review(first) }]
          : []),
        ...(rows.length === 1 && has('rename') ? [run('rename')] : []),
        ...(has('pin') ? [run(rows.every(({ isPinned }) => isPinned) ? 'unpin' : 'pin')] : []),
        ...(has('archive') ? [run(rows.every(({ isArchived }) => isArchived) ? 'unarchive' : 'archive')] : []),
        ...(rows.length === 1 && first.session !== undefined
          ? [{ label: l10n.t('Export…'), run: () => this.export(first) }]
          : []),
        ...(has('close') ? [run('close')] : []),
        ...(has('delete') ? [run('delete')] : []),
      ],
      { anchor: element },
    );
  }

  private bring({ session }: ShownRow): void {
    if (session !== undefined) this.list.post({ type: 'bringChanges', session });
  }

  private export({ session }: ShownRow): void {
    if (session !== undefined) this.list.post({ type: 'exportRow', session });
  }

  private review({ session }: ShownRow): void {
    if (session !== undefined) this.list.post({ type: 'reviewWorktree', session });
  }

  /** Renders what can be done with all selected rows. */
  bar(): TemplateResult | typeof nothing {
    const { size } = this.cursor.selection;
    if (size === 0) return nothing;
    const rows = this.cursor.chosen();
    const button = (action: QuickAction) =>
      html`<button class="btn" @click=${() => this.act(rows, action)}>${actionName(action)}</button>`;
    const areArchived = rows.length > 0 && rows.every(({ isArchived }) => isArchived);
    return html`<div class="selected" role="toolbar" aria-label=${l10n.t('Selected sessions')}>
      <span class="grow clip">${size === 1 ? l10n.t('1 selected') : l10n.t('{0} selected', size)}</span>
      ${button(areArchived ? 'unarchive' : 'archive')}
      ${rows.some(({ actions }) => actions.includes('close')) ? button('close') : nothing} ${button('delete')}
    </div>`;
  }
}

/** Renders the way to bring back deleted sessions. */
export function deletedNotice(count: number, undo: () => void): TemplateResult | typeof nothing {
  if (count === 0) return nothing;
  return html`<div class="deleted" role="status">
    <span class="grow">${count === 1 ? l10n.t('Deleted 1 session') : l10n.t('Deleted {0} sessions', count)}</span>
    <button class="btn" @click=${undo}>${l10n.t('Undo')}</button>
  </div>`;
}

function doneWords(action: RowChange, count: number, first: ShownRow): string {
  const title = rowTitle(first);
  switch (action) {
    case 'pin':
      return l10n.t('Pinned “{0}”', title);
    case 'unpin':
      return l10n.t('Unpinned “{0}”', title);
    case 'archive':
      return count === 1 ? l10n.t('Archived “{0}”', title) : l10n.t('Archived {0} sessions', count);
    case 'unarchive':
      return count === 1 ? l10n.t('Unarchived “{0}”', title) : l10n.t('Unarchived {0} sessions', count);
    case 'close':
      return count === 1 ? l10n.t('Closed “{0}”', title) : l10n.t('Closed {0} sessions', count);
    case 'delete':
      return count === 1 ? l10n.t('Deleted “{0}”', title) : l10n.t('Deleted {0} sessions', count);
  }
}
