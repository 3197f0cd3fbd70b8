import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { SessionKey } from '../../src/shared/values/ids';
import type { FromWebview, PageState, ToWebview } from '../../src/shared/pages/messages';
import type { RowFilter } from '../../src/shared/pages/sessionRows';
import { isComposing } from '../base/composition';
import { icon } from '../base/icon';
import { ownAgents } from '../base/ownAgents';
import { hasOpenMenu, openMenu } from '../base/menu';
import { endsView } from './listEnds';
import { ListParts } from './listParts';
import { ListPlace } from './listPlace';
import { deletedNotice, RowCommands } from './rowCommands';
import { RowCursor } from './rowCursor';
import { filterItems, limitChips } from './rowFilterView';
import { inSight, type PlacedRow, type ShownRow } from './rowLayout';
import { RowModel } from './rowModel';
import { RowRename } from './rowRename';
import { rowElementId, sectionView, type QuickAction } from './rowView';

/** How far around the visible part rows are drawn, in CSS pixels. */
const margin = 300;
/** How often times such as “4 min” are drawn anew while the list is open, in milliseconds. */
const tickMs = 30_000;
/** How long after the last letter the conversations are searched, in milliseconds. Titles are searched at once. */
const searchMs = 150;

/** What the list needs of its page. */
export interface SessionsHost {
  readonly page: PageState;
  readonly unread: ReadonlySet<SessionKey>;
  post(message: FromWebview): void;
  announce(sentence: string): void;
  focusComposer(): void;
  /** Called when the list is opened, closed, or placed elsewhere. */
  changed(isOpen: boolean): void;
}

/**
 * The list of all sessions: over the whole page, or as a rail beside the conversation in a wide editor tab. While it is open, the host keeps
 * its rows up to date. Rows stay where they are while the pointer is over them.
 */
export class SessionsView {
  private readonly root: HTMLElement;
  private readonly parts: ListParts;
  private readonly place: ListPlace;
  private readonly host: SessionsHost;
  private readonly model = new RowModel();
  private readonly cursor = new RowCursor();
  private readonly commands: RowCommands;
  private readonly renaming: RowRename;
  private open = false;
  /** Whether the host was told that the list is over the session. */
  private covered = false;
  private hasPointer = false;
  private frame: number | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  private searching: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement, covered: readonly HTMLElement[], host: SessionsHost) {
    this.root = root;
    this.parts = new ListParts(root);
    this.host = host;
    this.renaming = new RowRename({
      root,
      rowOf: (key) => this.cursor.rowOf(key),
      draw: () => this.draw(),
      rename: (id, title) => host.post({ type: 'renameRow', id, title }),
      focusList: () => this.parts.focusList(),
    });
    this.commands = new RowCommands(this.cursor, {
      post: (message) => host.post(message),
      announce: (sentence) => host.announce(sentence),
      open: () => this.openRow(),
      startRename: (row) => {
        this.cursor.activate(row.id);
        this.reveal();
        this.renaming.start(row);
      },
      drawSoon: () => this.drawSoon(),
    });
    root.addEventListener('keydown', (event) => this.onKey(event));
    root.addEventListener('pointerover', ({ target }) => this.setPointer(target));
    root.addEventListener('pointerleave', () => this.setPointer(null));
    this.place = new ListPlace(
      root,
      covered,
      () => host.page,
      (isElsewhere) => {
        if (isElsewhere) this.putInPlace();
        else this.drawSoon();
      },
    );
  }

  /** Whether the list is over the session, so that nothing of that is in sight. */
  get coversSession(): boolean {
    return this.open && !this.place.isRail;
  }

  /** Closes the list if it is over the session, which the user wants to see. */
  uncover(): void {
    if (this.coversSession) this.close();
  }

  /** Opens the list, with the focus in its search. */
  show(takesFocus = true): void {
    if (!this.open) {
      this.open = true;
      this.model.forgetAgentLists();
      this.ticking = setInterval(() => this.drawSoon(), tickMs);
      this.watch();
      this.putInPlace();
      this.host.changed(true);
    }
    this.draw();
    if (takesFocus) this.parts.focusField();
  }

  close(givesFocus = true): void {
    if (!this.open) return;
    this.open = false;
    clearTimeout(this.searching);
    this.model.search('');
    this.renaming.cancel();
    this.cursor.selection.clear();
    clearInterval(this.ticking);
    this.watch();
    this.putInPlace();
    this.host.changed(false);
    if (givesFocus) this.host.focusComposer();
  }

  toggle(): void {
    if (this.open) this.close();
    else this.show();
  }

  /** Takes a message from the host. Returns whether it is about the list. */
  take(message: ToWebview): boolean {
    if (message.type === 'showSessions') {
      this.show();
      return true;
    }
    if (message.type === 'uncoverSession') {
      this.uncover();
      return true;
    }
    if (!this.model.take(message)) return false;
    this.cursor.selection.keep((id) => this.model.rows.some((row) => row.id === id));
    this.drawSoon();
    return true;
  }

  /** The page shows another session, or something in its state has changed. */
  pageChanged(): void {
    // Where the list is depends on the kind of page, which is known with its first state.
    this.putInPlace();
    if (this.open) this.drawSoon();
  }

  drawSoon(): void {
    if (this.open) this.frame ??= requestAnimationFrame(() => this.draw());
  }

  private watch(): void {
    const { open: isOn, coversSession } = this;
    this.covered = coversSession;
    this.host.post({ type: 'watchSessions', isOn, ...(coversSession ? { coversSession } : {}) });
  }

  private putInPlace(): void {
    this.place.apply(this.open);
    if (this.covered !== this.coversSession) this.watch();
    this.drawSoon();
  }

  private setPointer(target: EventTarget | null): void {
    const isOver = target instanceof Element && target.closest('.pl-sess') !== null;
    if (isOver === this.hasPointer) return;
    this.hasPointer = isOver;
    // What happened in the meantime may move rows now.
    if (!isOver) this.drawSoon();
  }

  private draw(forced = false): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    if (!this.open) return;
    const isHeld = this.hasPointer && !forced && this.cursor.layout.rows.length > 0;
    const isShown = ({ session }: ShownRow) => session !== undefined && session === this.host.page.active;
    this.cursor.place(this.model.layOut(Date.now(), isHeld), isShown);
    render(this.template(), this.root);
    const { scroller } = this.parts;
    // Before its first rendering, the list doesn't know what is in sight.
    if (!scroller) return;
    render(this.rowsTemplate(scroller), scroller);
    // The page's policy forbids style attributes.
    for (const element of scroller.querySelectorAll<HTMLElement>('[data-top], [data-height]')) {
      const { top, height } = element.dataset;
      element.style.top = top === undefined ? '' : `${top}px`;
      element.style.height = height === undefined ? '' : `${height}px`;
    }
  }

  private template(): TemplateResult {
    const { page } = this.host;
    const back = this.place.isRail ? l10n.t('Hide sessions') : l10n.t('Back');
    return html`<header class="pl-header">
        <button class="ib" aria-label=${back} title=${back} @click=${() => this.close()}>
          ${icon(this.place.isRail ? 'close' : 'arrow-left')}
        </button>
        <h2 class="clip">${l10n.t('Sessions')}</h2>
        <span class="grow"></span>
        ${page.folder === '' ? nothing : html`<span class="chip w-md">${icon('folder')}<span class="clip">${page.folder}</span></span>`}
        <button
          class="ib"
          aria-label=${l10n.t('New session')}
          title=${l10n.t('New session')}
          @click=${() => this.startNew()}
        >
          ${icon('add')}
        </button>
        ${
          page.isInRepository && ownAgents(page).length > 0
            ? html`<button
                class="ib"
                aria-label=${l10n.t('New session in worktree…')}
                title=${l10n.t('New session in worktree…')}
                @click=${() => this.startNew('newSessionInWorktree')}
              >
                ${icon('worktree')}
              </button>`
            : nothing
        }
      </header>
      <div class="pl-listhead">
        <label class="inp grow">
          ${icon('search', 'quiet')}
          <input
            type="search"
            autocomplete="off"
            spellcheck="false"
            aria-label=${l10n.t('Search sessions')}
            placeholder=${l10n.t('Search sessions')}
            .value=${this.model.text}
            @input=${(event: Event) => this.search((event.target as HTMLInputElement).value)}
            @keydown=${(event: KeyboardEvent) => this.onFieldKey(event)}
          />
        </label>
        <button
          class="ib filter"
          aria-label=${l10n.t('Filter')}
          title=${l10n.t('Filter')}
          aria-haspopup="menu"
          aria-expanded="false"
          @click=${({ currentTarget }: Event) => this.openFilter(currentTarget as HTMLElement)}
        >
          ${icon('filter')}
        </button>
      </div>
      ${limitChips(this.model.limits, this.model.rows, (filter) => {
        this.limit(filter);
        this.parts.focusField();
      })}
      ${this.commands.bar()}
      <div class="scroll" @scroll=${() => this.drawSoon()}></div>
      ${deletedNotice(this.model.deleted, () => {
        this.host.post({ type: 'undoDelete' });
        this.parts.focusList();
      })}`;
  }

  private rowsTemplate(scroller: HTMLElement): TemplateResult {
    const { model } = this;
    const { layout, active, selection } = this.cursor;
    const from = scroller.scrollTop - margin;
    const to = scroller.scrollTop + scroller.clientHeight + margin;
    const isSelecting = selection.size > 0;
    const spinning = layout.rows.find(({ row }) => row.state === 'running')?.row.id;
    const look = {
      now: Date.now(),
      locale: this.host.page.locale,
      activeKey: active,
      searched: model.text,
      isShown: ({ session }: ShownRow) => session !== undefined && session === this.host.page.active,
      isSelected: (row: ShownRow) => (isSelecting ? selection.has(row.id) : row.session === this.host.page.active),
      isUnread: ({ session }: ShownRow) => session !== undefined && this.host.unread.has(session),
      spins: ({ id }: ShownRow) => id === spinning,
      click: (event: MouseEvent, placed: PlacedRow) => this.onClick(event, placed),
      menu: (event: MouseEvent, placed: PlacedRow) => this.onContextMenu(event, placed),
      act: (row: ShownRow, action: QuickAction) => this.commands.act([row], action),
      compare: (row: ShownRow) => this.compare(row),
    };
    return html`<div
        role="listbox"
        aria-label=${l10n.t('Sessions')}
        aria-multiselectable="true"
        tabindex="0"
        aria-activedescendant=${active === '' ? nothing : rowElementId(active)}
        data-height=${layout.height}
        @keydown=${(event: KeyboardEvent) => this.onListKey(event)}
      >
        ${inSight(layout, from, to, active).map((section) => sectionView(section, layout.rows.length, look))}
      </div>
      ${this.renaming.view(layout)}
      ${endsView(model, layout.rows.length > 0, {
        askAgent: ({ agentId: agent, state }) =>
          this.host.post({ type: 'askAgentList', agent, logsIn: state === 'login' }),
        toggleArchive: () => {
          model.setArchiveOpen(!model.isArchiveOpen);
          this.draw(true);
        },
      })}`;
  }

  private startNew(type: 'newSession' | 'newSessionInWorktree' = 'newSession'): void {
    this.host.post({ type });
  }

  // Search and filter.

  private search(text: string): void {
    this.model.search(text);
    clearTimeout(this.searching);
    const words = text.trim();
    if (words !== '') {
      this.searching = setTimeout(() => this.host.post({ type: 'searchSessions', text: words }), searchMs);
    }
    this.cursor.activate('');
    const { scroller } = this.parts;
    if (scroller) scroller.scrollTop = 0;
    this.draw(true);
  }

  private onFieldKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      this.parts.focusList();
      this.reveal();
    } else if (event.key === 'Enter') this.openRow();
    else if (event.key === 'Escape' && this.model.text !== '') {
      this.search('');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private openFilter(button: HTMLElement): void {
    if (hasOpenMenu(button)) return;
    const { limits, rows } = this.model;
    openMenu(
      button,
      l10n.t('Filter'),
      filterItems(limits, rows, (filter) => this.limit(filter)),
    );
  }

  private limit(filter: RowFilter): void {
    this.model.limit(filter);
    this.draw(true);
  }

  // What the user does with rows.

  private onClick(event: MouseEvent, placed: PlacedRow): void {
    const { cursor } = this;
    const isToggle = event.ctrlKey || event.metaKey;
    if (event.shiftKey) cursor.extendTo(placed);
    else if (isToggle) cursor.toggle(placed.row);
    cursor.activate(placed.key);
    if (event.shiftKey || isToggle) {
      this.draw();
      this.parts.focusList();
      return;
    }
    cursor.selection.clear();
    this.draw();
    this.openRow();
  }

  private openRow(): void {
    const { row } = this.cursor;
    if (!row) return;
    if (row.tries) {
      this.compare(row);
      return;
    }
    const entry = row.sentence === undefined ? undefined : this.model.entryOf(row.id);
    this.host.post({ type: 'openRow', id: row.id, ...(entry === undefined ? {} : { entry }) });
  }

  private compare({ task }: ShownRow): void {
    if (task !== undefined) this.host.post({ type: 'compareTries', task });
  }

  private onContextMenu(event: MouseEvent, { key, row }: PlacedRow): void {
    event.preventDefault();
    if (!this.cursor.selection.has(row.id)) this.cursor.selection.clear();
    this.cursor.activate(key);
    this.draw();
    this.openRowMenu();
  }

  private openRowMenu(): void {
    if (this.parts.list) this.commands.openMenu(this.parts.list);
  }

  // Keys.

  private onKey(event: KeyboardEvent): void {
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
    const isText = event.target instanceof HTMLInputElement;
    if (event.key === '/' && isPlain && !isText) this.parts.field?.select();
    else if (event.key === 'Escape' && !isComposing(event)) this.escape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private escape(): void {
    if (this.cursor.selection.size > 0) {
      this.cursor.selection.clear();
      this.draw();
    } else if (this.place.isRail) this.host.focusComposer();
    else this.close();
  }

  private onListKey(event: KeyboardEvent): void {
    const { cursor } = this;
    const next = event.altKey ? undefined : cursor.target(event.key, this.parts.pageSize);
    if (next) {
      if (event.shiftKey) cursor.extendTo(next);
      cursor.activate(next.key);
      this.reveal();
      this.draw();
    } else if (event.key === 'Enter') this.openRow();
    else if (event.key === ' ') {
      cursor.toggle();
      this.draw();
    } else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      cursor.selectAll();
      this.draw();
    } else if (event.key === 'F2') this.commands.act(cursor.row ? [cursor.row] : [], 'rename');
    else if (event.key === 'Delete') this.commands.act(cursor.chosen(), 'delete');
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) this.openRowMenu();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private reveal(): void {
    this.parts.reveal(this.cursor.layout, this.cursor.active);
  }
}
