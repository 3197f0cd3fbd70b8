import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { SessionKey } from '../../src/shared/ids';
import type { FromWebview, PageState, ToWebview } from '../../src/shared/messages';
import type { AgentListEnd, RowChange, RowFilter } from '../../src/shared/sessionRows';
import { rowTitle, stateFilterName } from '../../src/shared/sessionRowWords';
import { isComposing } from '../base/composition';
import { icon } from '../base/icon';
import { hasOpenMenu, openMenu, type MenuItem } from '../base/menu';
import {
  headHeight,
  inSight,
  layOut,
  placeOf,
  rowHeight,
  type PlacedRow,
  type RowLayout,
  type ShownRow,
} from './rowLayout';
import { RowModel } from './rowModel';
import { RowSelection } from './rowSelection';
import { actionName, rowElementId, sectionView, type QuickAction } from './rowView';

/** From this width in CSS pixels, an editor tab has the list beside the conversation. */
const railFrom = 760;
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
  /** What the list covers when it isn't a rail. */
  private readonly covered: readonly HTMLElement[];
  private readonly host: SessionsHost;
  private readonly model = new RowModel();
  private readonly selection = new RowSelection();
  private layout: RowLayout = layOut([], []);
  private open = false;
  private isWide = false;
  /** The row that keys act on. */
  private active = '';
  private hasPointer = false;
  private renaming: string | undefined;
  /** Whether the user has opened a session, so that the list closes once the page shows it. */
  private opening = false;
  private frame: number | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  private searching: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement, covered: readonly HTMLElement[], host: SessionsHost) {
    this.root = root;
    this.covered = covered;
    this.host = host;
    root.hidden = true;
    root.addEventListener('keydown', (event) => this.onKey(event));
    root.addEventListener('pointerover', ({ target }) => this.setPointer(target));
    root.addEventListener('pointerleave', () => this.setPointer(null));
    new ResizeObserver(([entry]) => {
      const isWide = (entry?.contentRect.width ?? 0) >= railFrom;
      if (isWide === this.isWide) {
        this.drawSoon();
        return;
      }
      this.isWide = isWide;
      this.place();
    }).observe(root.parentElement ?? root);
  }

  get isOpen(): boolean {
    return this.open;
  }

  /** Opens the list, with the focus in its search. */
  show(takesFocus = true): void {
    if (!this.open) {
      this.open = true;
      this.host.post({ type: 'watchSessions', isOn: true });
      this.ticking = setInterval(() => this.drawSoon(), tickMs);
      this.place();
      this.host.changed(true);
    }
    this.draw();
    if (takesFocus) this.field()?.focus({ preventScroll: true });
  }

  close(givesFocus = true): void {
    if (!this.open) return;
    this.open = false;
    this.opening = false;
    this.renaming = undefined;
    this.selection.clear();
    clearInterval(this.ticking);
    this.host.post({ type: 'watchSessions', isOn: false });
    this.place();
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
    if (!this.model.take(message)) return false;
    this.selection.keep((id) => this.model.rows.some((row) => row.id === id));
    this.drawSoon();
    return true;
  }

  /** The page shows another session, or something in its state has changed. */
  pageChanged(isOther: boolean): void {
    if (isOther && this.opening && !this.isRail) {
      this.close();
      return;
    }
    if (isOther) this.opening = false;
    // Where the list is depends on the kind of page, which is known with its first state.
    this.place();
    if (this.open) this.drawSoon();
  }

  drawSoon(): void {
    if (this.open) this.frame ??= requestAnimationFrame(() => this.draw());
  }

  private get isRail(): boolean {
    return this.isWide && this.host.page.host === 'editor';
  }

  private place(): void {
    const { root, open, isRail } = this;
    root.hidden = !open;
    const inner = root.parentElement;
    if (inner) inner.dataset['sessions'] = open ? (isRail ? 'rail' : 'page') : 'none';
    for (const element of this.covered) element.inert = open && !isRail;
    this.drawSoon();
  }

  private field(): HTMLInputElement | null {
    return this.root.querySelector('input[type=search]');
  }

  private get list(): HTMLElement | null {
    return this.root.querySelector<HTMLElement>('[role=listbox]');
  }

  private get scroller(): HTMLElement | null {
    return this.root.querySelector<HTMLElement>('.scroll');
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
    this.layout = this.model.layOut(Date.now(), this.hasPointer && !forced && this.layout.rows.length > 0);
    if (!this.layout.rows.some(({ key }) => key === this.active)) {
      const shown = this.layout.rows.find(
        ({ row }) => row.session !== undefined && row.session === this.host.page.active,
      );
      this.active = (shown ?? this.layout.rows[0])?.key ?? '';
    }
    render(this.template(), this.root);
    const { scroller } = this;
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
    const back = this.isRail ? l10n.t('Hide sessions') : l10n.t('Back');
    return html`<header class="pl-header">
        <button class="ib" aria-label=${back} title=${back} @click=${() => this.close()}>
          ${icon(this.isRail ? 'close' : 'arrow-left')}
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
          page.isInRepository
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
      ${this.limits()} ${this.selectionBar()}
      <div class="scroll" @scroll=${() => this.drawSoon()}></div>
      ${this.deletedNotice()}`;
  }

  private rowsTemplate(scroller: HTMLElement): TemplateResult {
    const { layout, model } = this;
    const from = scroller.scrollTop - margin;
    const to = scroller.scrollTop + scroller.clientHeight + margin;
    const isSelecting = this.selection.size > 0;
    const spinning = layout.rows.find(({ row }) => row.state === 'running')?.row.id;
    const look = {
      now: Date.now(),
      locale: this.host.page.locale,
      activeKey: this.active,
      searched: model.text,
      isShown: ({ session }: ShownRow) => session !== undefined && session === this.host.page.active,
      isSelected: (row: ShownRow) => (isSelecting ? this.selection.has(row.id) : row.session === this.host.page.active),
      isUnread: ({ session }: ShownRow) => session !== undefined && this.host.unread.has(session),
      spins: ({ id }: ShownRow) => id === spinning,
      click: (event: MouseEvent, placed: PlacedRow) => this.onClick(event, placed),
      menu: (event: MouseEvent, placed: PlacedRow) => this.onContextMenu(event, placed),
      act: (row: ShownRow, action: QuickAction) => this.act([row], action),
    };
    return html`<div
        role="listbox"
        aria-label=${l10n.t('Sessions')}
        aria-multiselectable="true"
        tabindex="0"
        aria-activedescendant=${this.active === '' ? nothing : rowElementId(this.active)}
        data-height=${layout.height}
        @keydown=${(event: KeyboardEvent) => this.onListKey(event)}
      >
        ${inSight(layout, from, to, this.active).map((section) => sectionView(section, layout.rows.length, look))}
      </div>
      ${this.renameField()} ${layout.rows.length === 0 ? html`<p class="none">${this.emptyWords()}</p>` : nothing}
      <div class="ends">${this.archiveButton()} ${model.ends.map((end) => this.end(end))}</div>`;
  }

  private emptyWords(): string {
    if (!this.model.isReady) return l10n.t('Loading sessions…');
    const { text, limits } = this.model;
    if (text.trim() !== '') return l10n.t('No results for “{0}”.', text.trim());
    return Object.keys(limits).length > 0
      ? l10n.t('No sessions match the filter.')
      : l10n.t('There are no sessions yet. Start one to see it here.');
  }

  private archiveButton(): TemplateResult | typeof nothing {
    const { archived, isArchiveOpen } = this.model;
    if (archived === 0 || this.model.text.trim() !== '') return nothing;
    const show = archived === 1 ? l10n.t('Show 1 archived session') : l10n.t('Show {0} archived sessions', archived);
    return html`<button
      class="btn link"
      aria-expanded=${String(isArchiveOpen)}
      @click=${() => {
        this.model.setArchiveOpen(!isArchiveOpen);
        this.draw(true);
      }}
    >
      ${isArchiveOpen ? l10n.t('Hide archived sessions') : show}
    </button>`;
  }

  private end({ agentId, agentName, state, problem }: AgentListEnd): TemplateResult {
    const ask = () => this.host.post({ type: 'askAgentList', agent: agentId });
    const button = (words: string, title = '') =>
      html`<button class="btn link" title=${title} @click=${ask}>${words}</button>`;
    switch (state) {
      case 'ask':
        return button(l10n.t('Show sessions from {0}', agentName), l10n.t('Starts the agent'));
      case 'more':
        return button(l10n.t('Show more sessions from {0}', agentName));
      case 'login':
        return button(l10n.t('Log in to {0} to see its sessions', agentName));
      case 'loading':
        return html`<span class="dim xs">${l10n.t('Loading sessions from {0}…', agentName)}</span>`;
      case 'problem':
        return html`<span class="dim xs">${problem ?? ''}</span>`;
    }
  }

  private startNew(type: 'newSession' | 'newSessionInWorktree' = 'newSession'): void {
    if (!this.isRail) this.close(false);
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
    this.active = '';
    if (this.scroller) this.scroller.scrollTop = 0;
    this.draw(true);
  }

  private onFieldKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      this.list?.focus({ preventScroll: true });
      this.reveal(this.active);
    } else if (event.key === 'Enter') this.openRow(this.active);
    else if (event.key === 'Escape' && this.model.text !== '') {
      this.search('');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private openFilter(button: HTMLElement): void {
    if (hasOpenMenu(button)) return;
    const { model } = this;
    const { limits } = model;
    const set = (filter: RowFilter) => {
      model.limit(filter);
      this.draw(true);
    };
    const item = (label: string, isChecked: boolean, next: RowFilter): MenuItem => ({
      label,
      isChecked,
      run: () => set(next),
    });
    const agents = new Map(model.rows.map(({ agentId, agentName }) => [agentId, agentName]));
    const folders = [...new Set(model.rows.map(({ folder }) => folder))];
    const states = ['needsYou', 'running', 'unreviewed', 'otherWindow'] as const;
    openMenu(button, l10n.t('Filter'), [
      ...states.map((state) =>
        item(
          stateFilterName(state),
          limits.state === state,
          limits.state === state ? without(limits, 'state') : { ...limits, state },
        ),
      ),
      ...[...agents].map(([agentId, name]) =>
        item(
          l10n.t('Agent: {0}', name),
          limits.agentId === agentId,
          limits.agentId === agentId ? without(limits, 'agentId') : { ...limits, agentId },
        ),
      ),
      ...folders.map((folder) =>
        item(
          l10n.t('Folder: {0}', folder),
          limits.folder === folder,
          limits.folder === folder ? without(limits, 'folder') : { ...limits, folder },
        ),
      ),
    ]);
  }

  /** Renders what the list is limited to. */
  private limits(): TemplateResult | typeof nothing {
    const { limits, rows } = this.model;
    const names: readonly (readonly [keyof RowFilter, string])[] = [
      ...(limits.state === undefined ? [] : [['state', stateFilterName(limits.state)] as const]),
      ...(limits.agentId === undefined
        ? []
        : [['agentId', rows.find(({ agentId }) => agentId === limits.agentId)?.agentName ?? limits.agentId] as const]),
      ...(limits.folder === undefined ? [] : [['folder', limits.folder] as const]),
    ];
    if (names.length === 0) return nothing;
    return html`<div class="limits">
      ${names.map(
        ([name, words]) =>
          html`<span class="chip"
            ><span class="clip">${words}</span
            ><button
              class="x"
              aria-label=${l10n.t('Remove filter {0}', words)}
              title=${l10n.t('Remove filter')}
              @click=${() => {
                this.model.limit(without(this.model.limits, name));
                this.draw(true);
                this.field()?.focus({ preventScroll: true });
              }}
            >
              ${icon('close')}
            </button></span
          >`,
      )}
    </div>`;
  }

  // What the user does with rows.

  private onClick(event: MouseEvent, { key, row }: PlacedRow): void {
    const order = this.layout.rows.map(({ row: { id } }) => id);
    if (event.shiftKey) this.selection.extend(order, this.rowOf(this.active)?.id ?? row.id, row.id);
    else if (event.ctrlKey || event.metaKey) this.selection.toggle(row.id);
    this.active = key;
    if (event.shiftKey || event.ctrlKey || event.metaKey) {
      this.draw();
      this.list?.focus({ preventScroll: true });
      return;
    }
    this.selection.clear();
    this.draw();
    this.openRow(key);
  }

  private openRow(key: string): void {
    const row = this.rowOf(key);
    if (!row) return;
    const entry = row.sentence === undefined ? undefined : this.model.entryOf(row.id);
    this.host.post({ type: 'openRow', id: row.id, ...(entry === undefined ? {} : { entry }) });
    this.opening = true;
    const isShown = row.session !== undefined && row.session === this.host.page.active;
    if (isShown && !this.isRail) this.close();
  }

  private rowOf(key: string): ShownRow | undefined {
    return this.layout.rows.find((placed) => placed.key === key)?.row;
  }

  private act(rows: readonly ShownRow[], action: QuickAction): void {
    const [first] = rows;
    if (!first) return;
    if (action === 'rename') {
      this.startRename(first);
      return;
    }
    const needed = action === 'unpin' ? 'pin' : action === 'unarchive' ? 'archive' : action;
    const ids = rows.filter(({ actions }) => actions.includes(needed)).map(({ id }) => id);
    if (ids.length === 0) return;
    this.host.post({ type: 'changeRows', ids, change: action });
    this.host.announce(doneWords(action, ids.length, first));
    this.selection.clear();
    if (action === 'delete' || action === 'archive' || action === 'unarchive') this.leave(ids);
    this.drawSoon();
  }

  /** Moves to the next row, because these disappear. */
  private leave(ids: readonly string[]): void {
    const at = this.layout.rows.findIndex(({ key }) => key === this.active);
    if (!ids.includes(this.layout.rows[at]?.row.id ?? '')) return;
    const stays = (placed: PlacedRow) => !ids.includes(placed.row.id);
    const next = this.layout.rows.slice(at).find(stays) ?? this.layout.rows.slice(0, at).findLast(stays);
    this.active = next?.key ?? '';
  }

  private chosen(): readonly ShownRow[] {
    const selected = this.layout.rows.filter(({ row, key }) => this.selection.has(row.id) && key === row.id);
    if (selected.length > 0) return selected.map(({ row }) => row);
    const row = this.rowOf(this.active);
    return row ? [row] : [];
  }

  private onContextMenu(event: MouseEvent, { key, row }: PlacedRow): void {
    event.preventDefault();
    if (!this.selection.has(row.id)) this.selection.clear();
    this.active = key;
    this.draw();
    this.openRowMenu();
  }

  private openRowMenu(): void {
    const { list } = this;
    const rows = this.chosen();
    const [first] = rows;
    const element = document.getElementById(rowElementId(this.active));
    if (!list || !element || !first) return;
    const has = (action: (typeof first.actions)[number]) => rows.some(({ actions }) => actions.includes(action));
    const run = (action: QuickAction) => ({ label: actionName(action), run: () => this.act(rows, action) });
    openMenu(
      list,
      l10n.t('Actions for {0}', rowTitle(first)),
      [
        ...(rows.length === 1 ? [{ label: l10n.t('Open'), run: () => this.openRow(this.active) }] : []),
        ...(rows.length === 1 && has('rename') ? [run('rename')] : []),
        ...(has('pin') ? [run(rows.every(({ isPinned }) => isPinned) ? 'unpin' : 'pin')] : []),
        ...(has('archive') ? [run(rows.every(({ isArchived }) => isArchived) ? 'unarchive' : 'archive')] : []),
        ...(has('close') ? [run('close')] : []),
        ...(has('delete') ? [run('delete')] : []),
      ],
      element,
    );
  }

  private selectionBar(): TemplateResult | typeof nothing {
    const { size } = this.selection;
    if (size === 0) return nothing;
    const rows = this.chosen();
    const button = (action: QuickAction) =>
      html`<button class="btn" @click=${() => this.act(rows, action)}>${actionName(action)}</button>`;
    const areArchived = rows.length > 0 && rows.every(({ isArchived }) => isArchived);
    return html`<div class="selected" role="toolbar" aria-label=${l10n.t('Selected sessions')}>
      <span class="grow clip">${size === 1 ? l10n.t('1 selected') : l10n.t('{0} selected', size)}</span>
      ${button(areArchived ? 'unarchive' : 'archive')}
      ${rows.some(({ actions }) => actions.includes('close')) ? button('close') : nothing} ${button('delete')}
    </div>`;
  }

  private deletedNotice(): TemplateResult | typeof nothing {
    const { deleted } = this.model;
    if (deleted === 0) return nothing;
    return html`<div class="deleted" role="status">
      <span class="grow">${deleted === 1 ? l10n.t('Deleted 1 session') : l10n.t('Deleted {0} sessions', deleted)}</span>
      <button class="btn" @click=${() => this.undo()}>${l10n.t('Undo')}</button>
    </div>`;
  }

  private undo(): void {
    this.host.post({ type: 'undoDelete' });
    this.list?.focus({ preventScroll: true });
  }

  // Rename in place.

  private startRename(row: ShownRow): void {
    this.renaming = row.id;
    this.active = row.id;
    this.reveal(row.id);
    this.draw();
    const field = this.root.querySelector<HTMLInputElement>('.rename');
    if (!field) return;
    field.value = row.title;
    field.focus({ preventScroll: true });
    field.select();
  }

  /** The field is above the row, because an option of a list can't contain one. */
  private renameField(): TemplateResult | typeof nothing {
    const { renaming } = this;
    const at = renaming === undefined ? undefined : placeOf(this.layout, renaming);
    if (renaming === undefined || !at) return nothing;
    return html`<input
      class="rename"
      type="text"
      aria-label=${l10n.t('Session name')}
      data-top=${at.top}
      @keydown=${(event: KeyboardEvent) => {
        event.stopPropagation();
        if (isComposing(event)) return;
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        this.endRename(event.key === 'Enter');
        this.list?.focus({ preventScroll: true });
      }}
      @blur=${() => this.endRename(true)}
    />`;
  }

  private endRename(isMeant: boolean): void {
    const id = this.renaming;
    if (id === undefined) return;
    const title = this.root.querySelector<HTMLInputElement>('.rename')?.value.trim() ?? '';
    this.renaming = undefined;
    const row = this.rowOf(id);
    if (isMeant && title !== '' && title !== row?.title) this.host.post({ type: 'renameRow', id, title });
    this.draw();
  }

  // Keys.

  private onKey(event: KeyboardEvent): void {
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
    const isText = event.target instanceof HTMLInputElement;
    if (event.key === '/' && isPlain && !isText) this.field()?.select();
    else if (event.key === 'Escape' && !isComposing(event)) this.escape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private escape(): void {
    if (this.selection.size > 0) {
      this.selection.clear();
      this.draw();
    } else if (this.isRail) this.host.focusComposer();
    else this.close();
  }

  private onListKey(event: KeyboardEvent): void {
    const { rows } = this.layout;
    const at = rows.findIndex(({ key }) => key === this.active);
    const page = Math.max(1, Math.floor((this.scroller?.clientHeight ?? 0) / rowHeight) - 1);
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    }[event.key];
    const isCommand = event.ctrlKey || event.metaKey;
    if (to !== undefined && !event.altKey) {
      const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
      if (!next) return;
      if (event.shiftKey) {
        const order = rows.map(({ row }) => row.id);
        this.selection.extend(order, this.rowOf(this.active)?.id ?? next.row.id, next.row.id);
      }
      this.active = next.key;
      this.reveal(next.key);
      this.draw();
    } else if (event.key === 'Enter') this.openRow(this.active);
    else if (event.key === ' ') {
      const row = this.rowOf(this.active);
      if (row) this.selection.toggle(row.id);
      this.draw();
    } else if (event.key === 'a' && isCommand) {
      this.selection.selectAll(rows.map(({ row }) => row.id));
      this.draw();
    } else if (event.key === 'F2') {
      const row = this.rowOf(this.active);
      if (row?.actions.includes('rename')) this.startRename(row);
    } else if (event.key === 'Delete') this.act(this.chosen(), 'delete');
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) this.openRowMenu();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private reveal(key: string): void {
    const { scroller } = this;
    const at = placeOf(this.layout, key);
    if (!scroller || !at) return;
    const { scrollTop, clientHeight } = scroller;
    // With the heading, if the row is the first one below it.
    if (at.top - headHeight < scrollTop) scroller.scrollTop = at.top - headHeight;
    else if (at.top + at.height > scrollTop + clientHeight) scroller.scrollTop = at.top + at.height - clientHeight;
  }
}

function without(filter: RowFilter, name: keyof RowFilter): RowFilter {
  return Object.fromEntries(Object.entries(filter).filter(([one]) => one !== name));
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
