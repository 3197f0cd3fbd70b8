import type { EntryId } from '../../../src/shared/values/ids';
import type { PageMemory } from '../../../src/shared/pages/messages';
import type { EntryView } from '../../entries/view/entryView';
import type { EntryViews } from './entryViews';
import type { Row, Rows } from './rows';

/** Rows are added to the page when less than this is ready above or below the part in view, in px. */
const near = 700;
/** How much is ready above and below afterward, in px. */
const reach = 1400;
/** Rows farther away than this leave the page, in px. */
const far = 2200;
/** With more rows than this on the page, those far away leave it before the next layout. */
const crowd = 250;
/** A row with more entries below it than this has only those near the part in view on the page. */
const few = 20;
/** What a user may be in the middle of: an open request, a form, a login, or an edited message. */
const unfinished = '.asking, .pl-asks, .pl-card.attn, .pl-restore, textarea, input';

/** What the list does for its window. */
export interface WindowOwner {
  /** Draws an entry that was added to the page. */
  draw(id: EntryId): void;
  /** Removes the view of an entry from the page. */
  remove(view: EntryView): void;
  /** Draws now as much as fits into a frame. Returns whether everything is drawn. */
  drawNow(): boolean;
  /** Returns whether the reader is at the end, and will be scrolled to what was added there. */
  isFollowing(): boolean;
  /** Called after entries were added to the page or removed. */
  arranged(): void;
  /** Called after rows have changed. `hasScrolled` means that the scroll position was moved so that what is in view stays at its place. */
  moved(hasScrolled: boolean): void;
}

/** A point in a row that stays at its place on the screen. */
interface Mark {
  readonly row: Row;
  /** The distance of the row's upper edge from that of the transcript, in px. */
  readonly top: number;
}

interface Edges {
  readonly top: number;
  readonly bottom: number;
}

/** Rows that aren't on the page, and the element that takes their space. */
interface Gap {
  readonly element: HTMLElement;
  readonly from: number;
  /** The index after the last row. */
  readonly to: number;
}

/** The rows that a window shows: those of the transcript, or those below one row. */
interface Listed {
  readonly all: readonly Row[];
}

/**
 * The part of a transcript that is on the page: the rows in view and those near them, and those that the user is using, wherever they are.
 * All others are gaps of the same height. Rows are added and removed without moving what is in view. The entries below a row have a window
 * of their own.
 */
export class RowWindow {
  private readonly feed: HTMLElement;
  private readonly column: HTMLElement;
  /** The element that stays last in the column. */
  private readonly end: HTMLElement | null;
  private readonly rows: Rows;
  private readonly listed: Listed;
  /** The windows of the rows on the page that have entries below them. */
  private readonly inner = new Map<EntryId, RowWindow>();
  private readonly views: EntryViews;
  private readonly owner: WindowOwner;
  /** The rows on the page, in order. */
  private shown: Row[] = [];
  private gaps: Gap[] = [];
  /** Entries whose views were created and must be drawn. */
  private fresh: EntryId[] = [];
  /** Rows whose elements were created since everything was drawn last. */
  private created: Row[] = [];
  /** The height of the part in view at the last look, in px. */
  private height = 900;

  constructor(
    feed: HTMLElement,
    column: HTMLElement,
    end: HTMLElement | null,
    rows: Rows,
    views: EntryViews,
    owner: WindowOwner,
    listed: Listed = rows,
  ) {
    this.feed = feed;
    this.column = column;
    this.end = end;
    this.rows = rows;
    this.listed = listed;
    this.views = views;
    this.owner = owner;
  }

  /** Whether so many rows are on the page that those far away should leave it soon. */
  get isCrowded(): boolean {
    return this.shown.length > crowd;
  }

  clear(): void {
    this.inner.clear();
    this.shown = [];
    this.gaps = [];
    this.fresh = [];
    this.created = [];
  }

  /** Shows the end of a transcript, and rows that must be on the page wherever they are. */
  openEnd(others: readonly EntryId[]): void {
    this.height = this.feed.clientHeight || this.height;
    this.rows.width = this.column.clientWidth || this.rows.width;
    this.mark(this.fromEnd(this.rows.all));
    for (const id of others) this.markWhole(this.rows.get(id));
    this.arrange();
    for (const id of others) this.require(id);
  }

  /** Shows new rows if those beside them are on the page: of many, only those that are near the reader. */
  added(rows: readonly Row[], isFollowing: boolean): void {
    const { all } = this.rows;
    const isBeside = ({ index }: Row) => all[index - 1]?.isShown !== false || all[index + 1]?.isShown === true;
    const isAtEnd = rows.every((row) => row.index >= all.length - rows.length);
    const chosen = isAtEnd && isFollowing ? this.fromEnd(rows) : this.fromStart(rows);
    const first = isAtEnd ? all[all.length - rows.length - 1] : undefined;
    for (const row of chosen) {
      if (isAtEnd ? isFollowing || first?.isShown !== false : isBeside(row)) this.markWhole(row);
    }
    this.arrange();
  }

  /** Adds what is missing after the rows were rebuilt, and removes what is no longer in the transcript. */
  sync(onAdopted: (row: Row) => void): void {
    for (const old of this.shown) {
      const row = this.rows.get(old.id);
      if (row === old) {
        this.fill(old);
        continue;
      }
      this.take(old);
      if (!row) continue;
      // Its row came late: the entry is below it from now on.
      this.markWhole(row);
      this.fill(row);
      onAdopted(row);
    }
    this.arrange();
  }

  /** Adds what must not be apart from the rows on the page, after that has changed. */
  complete(): void {
    for (const row of this.shown) this.markWhole(row);
    this.arrange();
    for (const inner of this.inner.values()) inner.complete();
  }

  /** Takes over an entry that was added below a row. */
  grow(row: Row, id: EntryId): void {
    if (!row.isShown) return;
    const own = this.rows.own(id);
    const inner = this.fill(row);
    if (!own || !inner) return;
    if (own.index < few || (!inner.column.hidden && row.below[own.index - 1]?.isShown)) inner.markWhole(own);
    inner.arrange();
  }

  /** Puts an entry on the page, with rows around it. Returns whether the entry is in the transcript. */
  reveal(id: EntryId): boolean {
    const row = this.rows.get(id);
    if (!row) return false;
    const own = this.rows.own(id);
    if (row.isShown && own?.isShown) return true;
    this.hold(() => {
      if (!row.isShown) this.openAround(row);
      if (own && own !== row) this.inner.get(row.id)?.openAround(own);
    });
    return true;
  }

  /** Puts an entry on the page, without those around it. */
  require(id: EntryId): void {
    const row = this.rows.get(id);
    const own = this.rows.own(id);
    if (!row || !own || (row.isShown && own.isShown)) return;
    if (!row.isShown) {
      this.markWhole(row);
      this.arrange();
    }
    const inner = own === row ? undefined : this.inner.get(row.id);
    inner?.markWhole(own);
    inner?.arrange();
  }

  /** Puts the rows before and after that of an element on the page. */
  surround(element: Element): void {
    const id = this.views.of(element)?.entry.id;
    const row = id === undefined ? undefined : this.rows.get(id);
    const own = id === undefined ? undefined : this.rows.own(id);
    if (!row || !own) return;
    this.openBeside(row);
    if (own !== row) this.inner.get(row.id)?.openBeside(own);
  }

  private openBeside({ index }: Row): void {
    const { all } = this.listed;
    const missing = [all[index - 1], all[index + 1]].filter((row) => row?.isShown === false);
    if (missing.length === 0) return;
    this.hold(() => {
      for (const row of missing) this.markWhole(row);
      this.arrange();
    });
  }

  private openAround(row: Row): void {
    const { all } = this.listed;
    this.mark(this.fromEnd(all.slice(Math.max(0, row.index - 100), row.index), reach));
    this.mark(this.fromStart(all.slice(row.index, row.index + 200)));
    this.arrange();
  }

  /**
   * Adds the rows near the part in view and removes those far from it. Must run right before a frame, with an up-to-date layout, and not
   * while sizes are observed.
   */
  look(): void {
    // A row that was added can have more entries below it that are near.
    if (this.lookOnce()) this.lookOnce();
  }

  private lookOnce(): boolean {
    if (!this.column.isConnected || this.feed.clientHeight === 0) return false;
    const plans = [...this.inner.values(), this].flatMap((window) => window.plan() ?? []);
    if (plans.length === 0) return false;
    this.hold(() => {
      for (const change of plans) change();
    });
    return true;
  }

  /** Returns the change that is due, if any. */
  private plan(): (() => void) | undefined {
    const { all } = this.listed;
    if (all.length === 0 || (this.end === null && all.length <= few)) return undefined;
    const { scrollTop: top, clientHeight } = this.feed;
    this.height = clientHeight;
    const bottom = top + clientHeight;
    const isHidden = this.column.hidden;
    const isShort = !isHidden && this.missing(top - near, bottom + near).length > 0;
    const wanted = isShort ? this.missing(top - reach, bottom + reach) : [];
    const gone = isHidden ? this.shown.filter((row) => !this.isUsed(row)) : this.tooFar(top - far, bottom + far);
    if (wanted.length === 0 && gone.length === 0) return undefined;
    return () => {
      if (!isHidden) this.measure(gone);
      for (const row of gone) this.take(row);
      this.mark(wanted);
      this.arrange();
    };
  }

  /** Returns the rows of a gap. */
  rowsOf(gap: Element): readonly Row[] {
    const found = this.gaps.find(({ element }) => element === gap);
    return found ? this.listed.all.slice(found.from, found.to) : [];
  }

  /** Called when everything is drawn: rows have their own height from now on. */
  drained(): void {
    for (const row of this.created) this.views.get(row.id)?.element.style.removeProperty('min-height');
    this.created = [];
    for (const window of this.inner.values()) window.drained();
  }

  /** Returns the first row that ends below `top`, without counting `margin` px at its end. */
  rowAt(top: number, margin: number): Row | undefined {
    return this.shown.find((row) => {
      const element = this.views.get(row.id)?.element;
      return element?.hidden === false && element.offsetTop + element.offsetHeight - margin >= top;
    });
  }

  has(id: EntryId): boolean {
    return this.rows.has(id);
  }

  /** Returns the first row that extends below `top`, and the offset of `top` in it. */
  placeAt(top: number): PageMemory['scroll'] {
    for (const row of this.shown) {
      const element = this.views.get(row.id)?.element;
      if (!element || element.offsetTop + element.offsetHeight <= top) continue;
      return { anchor: row.id, offset: top - element.offsetTop, atEnd: false };
    }
    return { anchor: '', offset: 0, atEnd: true };
  }

  /** Scrolls to a place that `placeAt` returned. Returns whether the transcript was elsewhere. */
  scrollToPlace(feed: HTMLElement, { anchor, offset }: PageMemory['scroll']): boolean {
    if (anchor === '' || !this.reveal(anchor)) return false;
    const element = this.views.get(anchor)?.element;
    if (!element) return false;
    const before = feed.scrollTop;
    const top = element.offsetTop + offset;
    if (Math.abs(top - before) >= 1) feed.scrollTop = top;
    return feed.scrollTop !== before;
  }

  /** Runs a change of the rows above the part in view, which stays at its place. */
  hold(change: () => void): void {
    const mark = this.placeInView();
    change();
    if (!this.owner.drawNow()) this.reserve();
    else this.drained();
    if (mark) this.keepAt(mark);
  }

  /** Updates the gaps after rows were added or removed, or their heights have changed. */
  arrange(): void {
    const { all } = this.listed;
    const shown: Row[] = [];
    this.gaps = [];
    let before: Element | null = this.end;
    let missing = 0;
    let to = all.length;
    for (let at = all.length - 1; at >= -1; at--) {
      const row = all[at];
      if (row) row.index = at;
      if (row && !row.isShown) {
        missing += row.height;
        continue;
      }
      before = this.fillGap(before, missing, at + 1, to);
      missing = 0;
      to = at;
      if (!row) break;
      shown.push(row);
      const element = this.elementOf(row);
      if (element.parentElement !== this.column) this.column.insertBefore(element, before);
      before = frontOf(element);
    }
    this.shown = shown.reverse();
    this.gaps.reverse();
    this.drawFresh();
  }

  private drawFresh(): void {
    this.owner.arranged();
    if (this.fresh.length === 0) return;
    const fresh = new Set(this.fresh);
    this.fresh = [];
    // From top to bottom, because a row looks at those above it.
    for (const { id } of this.shown) if (fresh.has(id)) this.owner.draw(id);
  }

  private fillGap(before: Element | null, missing: number, from: number, to: number): Element | null {
    let gap: HTMLElement | undefined;
    const last = () => (before ? before.previousElementSibling : this.column.lastElementChild);
    for (let at = last(); isGap(at); at = last()) {
      gap ??= at;
      at.remove();
    }
    if (to <= from) return before;
    gap ??= document.createElement('div');
    gap.className = 'pl-gap';
    gap.style.height = `${missing}px`;
    this.column.insertBefore(gap, before);
    this.gaps.push({ element: gap, from, to });
    return gap;
  }

  private elementOf(row: Row): HTMLElement {
    const view = this.views.get(row.id);
    if (view) return view.element;
    const entry = this.rows.entryOf(row);
    if (!entry) throw new Error('A row has no entry');
    const created = this.views.create(entry);
    this.fresh.push(row.id);
    this.created.push(row);
    // A step of a subagent whose row isn't in the transcript yet.
    created.element.classList.toggle('lone', this.end !== null && entry.subagent !== undefined);
    this.fill(row);
    return created.element;
  }

  /** Updates the window of the entries below a row. Returns it, if there are any. */
  private fill(row: Row): RowWindow | undefined {
    const parent = this.views.rowOf(row.id);
    let inner = this.inner.get(row.id);
    if (!parent || (!inner && row.below.length === 0)) return undefined;
    if (!inner) {
      const { feed, rows, views, owner } = this;
      const listed = { all: row.below };
      inner = new RowWindow(feed, parent.children, null, rows, views, owner, listed);
      this.inner.set(row.id, inner);
    }
    inner.refill();
    parent.refresh();
    return inner;
  }

  /** Removes what is no longer listed, and shows all rows if they are few. */
  private refill(): void {
    const { all } = this.listed;
    const listed = new Set(all);
    for (const row of this.shown) if (!listed.has(row)) this.take(row);
    all.forEach((row, index) => (row.index = index));
    if (all.length <= few) this.mark(all);
    this.arrange();
  }

  private mark(rows: readonly Row[]): void {
    for (const row of rows) if (!row.isShown) this.markWhole(row);
  }

  /** Marks a row as shown, with those that it must not be apart from. */
  private markWhole(row: Row | undefined): void {
    if (!row) return;
    const { all } = this.listed;
    row.isShown = true;
    for (let at = row.index - 1; at >= 0 && !this.rows.mayPart(all[at], all[at + 1]); at--) {
      const other = all[at];
      if (other) other.isShown = true;
    }
    for (let at = row.index + 1; at < all.length && !this.rows.mayPart(all[at - 1], all[at]); at++) {
      const other = all[at];
      if (other) other.isShown = true;
    }
  }

  private take(row: Row): void {
    row.isShown = false;
    const inner = this.inner.get(row.id);
    this.inner.delete(row.id);
    for (const one of inner?.shown ?? []) inner?.take(one);
    const view = this.views.get(row.id);
    if (view) this.owner.remove(view);
  }

  /** Returns the last rows that fill the part in view and what is ready above it. */
  private fromEnd(rows: readonly Row[], limit = this.height + reach): readonly Row[] {
    let height = 0;
    let at = rows.length;
    while (at > 0 && height < limit) height += rows[--at]?.height ?? 0;
    return rows.slice(at);
  }

  private fromStart(rows: readonly Row[], limit = this.height + reach): readonly Row[] {
    let height = 0;
    let at = 0;
    while (at < rows.length && height < limit) height += rows[at++]?.height ?? 0;
    return rows.slice(0, at);
  }

  /** Returns the rows between two places in the scrolled content that aren't on the page. */
  private missing(low: number, high: number): Row[] {
    const found: Row[] = [];
    for (const { element, from, to } of this.gaps) {
      let top = this.topOf(element);
      if (top > high || top + element.offsetHeight < low) continue;
      for (let at = from; at < to && top <= high; at++) {
        const row = this.listed.all[at];
        if (!row) break;
        top += row.height;
        if (top >= low) found.push(row);
      }
    }
    return found;
  }

  /** Returns the rows on the page that end above `low` or begin below `high`, unless the user is using them. */
  private tooFar(low: number, high: number): Row[] {
    const runs = this.runs();
    const gone: Row[] = [];
    const isAbove = ({ bottom }: Edges) => bottom < low;
    // What was just added at the end is far away only until the reader is taken there.
    const isBelow = ({ top }: Edges) => top > high && !this.owner.isFollowing();
    for (const [order, isOut] of [
      [runs, isAbove],
      [runs.toReversed(), isBelow],
    ] as const) {
      let invisible: Row[] = [];
      for (const run of order) {
        const edges = this.edges(run);
        if (!edges) {
          invisible.push(...run);
          continue;
        }
        if (!isOut(edges)) break;
        if (!run.some((row) => this.isUsed(row))) gone.push(...invisible, ...run);
        invisible = [];
      }
    }
    return gone;
  }

  /** Returns the rows on the page in parts that must not be apart. */
  private runs(): Row[][] {
    const runs: Row[][] = [];
    let last: Row | undefined;
    for (const row of this.shown) {
      const run = runs.at(-1);
      if (run && last && row.index === last.index + 1 && !this.rows.mayPart(last, row)) run.push(row);
      else runs.push([row]);
      last = row;
    }
    return runs;
  }

  /** Returns where a run is in the scrolled content. Undefined if nothing of it is visible. */
  private edges(run: readonly Row[]): Edges | undefined {
    const elements = run.flatMap((row) => {
      const element = this.views.get(row.id)?.element;
      return element ? [frontOf(element) as HTMLElement, element] : [];
    });
    const visible = elements.filter((element) => !element.hidden);
    const [first] = visible;
    const last = visible.at(-1);
    return first && last && { top: this.topOf(first), bottom: this.topOf(last) + last.offsetHeight };
  }

  /** Returns where an element is in the scrolled content. */
  private topOf(element: Element): number {
    return element.getBoundingClientRect().top - this.feed.getBoundingClientRect().top + this.feed.scrollTop;
  }

  private isUsed(row: Row): boolean {
    const element = this.views.get(row.id)?.element;
    if (!element) return false;
    if (element.contains(document.activeElement) || element.matches(unfinished)) return true;
    if (element.querySelector(unfinished)) return true;
    if ([...element.querySelectorAll('audio, video')].some((media) => !(media as HTMLMediaElement).paused)) return true;
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed) return false;
    return element.contains(selection.anchorNode) || element.contains(selection.focusNode);
  }

  /** Records the height of rows before they leave the page. */
  private measure(rows: readonly Row[]): void {
    for (const row of rows) {
      const element = this.views.get(row.id)?.element;
      if (element) row.height = heightOf(element);
    }
  }

  /** Reserves the expected height of rows that aren't drawn yet. */
  private reserve(): void {
    for (const row of this.created) {
      const element = this.views.get(row.id)?.element;
      if (element?.textContent === '') element.style.minHeight = `${Math.max(0, row.height - 12)}px`;
    }
    for (const window of this.inner.values()) window.reserve();
  }

  private placeInView(): Mark | undefined {
    const edge = this.feed.getBoundingClientRect();
    for (const row of this.shown) {
      const element = this.views.get(row.id)?.element;
      if (!element || element.hidden) continue;
      const { top, bottom } = element.getBoundingClientRect();
      if (top >= edge.bottom) break;
      if (bottom <= edge.top) continue;
      // Of a row that begins above, the entry below it that is in view stays at its place.
      return (top < edge.top ? this.inner.get(row.id)?.placeInView() : undefined) ?? { row, top: top - edge.top };
    }
    if (this.column.hidden) return undefined;
    // The reader has scrolled into a gap, such as with the scroll bar.
    const { scrollTop } = this.feed;
    for (const { element, from, to } of this.gaps) {
      let top = this.topOf(element);
      if (top + element.offsetHeight <= scrollTop || top > scrollTop + this.feed.clientHeight) continue;
      for (let at = from; at < to; at++) {
        const row = this.listed.all[at];
        if (!row) break;
        if (top + row.height > scrollTop) return { row, top: top - scrollTop };
        top += row.height;
      }
    }
    return undefined;
  }

  private keepAt({ row, top }: Mark): void {
    const element = this.views.get(row.id)?.element;
    if (!element || element.hidden) return;
    const off = element.getBoundingClientRect().top - this.feed.getBoundingClientRect().top - top;
    const before = this.feed.scrollTop;
    if (Math.abs(off) >= 0.5) this.feed.scrollTop += off;
    this.owner.moved(this.feed.scrollTop !== before);
  }
}

function isGap(element: Element | null): element is HTMLElement {
  return element?.classList.contains('pl-gap') === true;
}

/** Returns the summary row of a group that begins with an element, or the element. */
function frontOf(element: Element): Element {
  const before = element.previousElementSibling;
  return before?.classList.contains('pl-group') ? before : element;
}

/** Returns the height of a row with its summary row and the distance to what is above. */
function heightOf(element: HTMLElement): number {
  const front = frontOf(element) as HTMLElement;
  const last = element.hidden ? front : element;
  if (last.hidden) return 0;
  let above = front.previousElementSibling as HTMLElement | null;
  while (above?.hidden) above = above.previousElementSibling as HTMLElement | null;
  const { bottom, height } = last.getBoundingClientRect();
  return above ? Math.max(0, bottom - above.getBoundingClientRect().bottom) : height;
}
