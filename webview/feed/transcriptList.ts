import { Disposable } from '../../src/shared/disposable';
import { Emitter, type Event } from '../../src/shared/event';
import type { EntryId, RequestKey, SessionKey, TerminalId } from '../../src/shared/ids';
import type { TranscriptOp } from '../../src/shared/ops';
import type { Entry, Transcript } from '../../src/shared/transcript';
import type { PageContext } from '../state/pageContext';
import { isUrgent, type AppendedText, type EntriesBelow, type EntryScope, type EntryView } from '../entries/entryView';
import { isSettled } from '../entries/speaker';
import { ThoughtView } from '../entries/thought';
import { UserMessageView } from '../entries/userMessage';
import { ToolCallView } from '../entries/toolCall';
import { textAcross } from './copyAcross';
import { EntryViews } from './entryViews';
import { focusEntry, focusOldestRequest, openEntry, scrollToEntry } from './goTo';
import { LiveEntries } from './liveEntries';
import { PathLinks } from './pathLinks';
import { PinnedMessage } from './pinnedMessage';
import { Positions } from './positions';
import { QuestionHold } from './questionHold';
import { ReadGroups } from './readGroups';
import type { ScrollPlace } from '../state/memory';
import { ReaderPlace } from './readerPlace';
import { RenderQueue } from '../base/renderQueue';
import { Rows, type Row } from './rows';
import { RowWindow } from './rowWindow';
import { Scroller, type ScrollState } from './scroller';
import { Terminals } from './terminals';
import { isWaitingForAnswer as isAsking } from '../../src/shared/openQuestion';
import { handleClick } from './transcriptClicks';
import { focusNewest, handleKey } from './transcriptKeys';
import type { TerminalOutput } from '../terminal/terminalView';
import { Viewport } from '../base/viewport';
import { warmUp } from '../markdown/warmUp';
import { WorkingLine } from './workingLine';

/** Distance from the top at which older entries are fetched, in px. */
const nearTop = 600;

/** An entry that may not be on the page yet. `end` is called with its view, or without one if it can't be shown. */
interface Target {
  readonly id: EntryId;
  end(view?: EntryView): void;
}

/**
 * The transcript on the page. It is updated by ops: only entries they affect are drawn, in slices, at most once per frame. Entries far from
 * the part in view aren't on the page, so a long session costs no more than a short one.
 */
export class TranscriptList extends Disposable implements EntryScope {
  readonly queue = new RenderQueue(() => {
    this.window.drained();
    this.scroller.drained();
  });
  readonly viewport: Viewport;
  readonly paths: PathLinks;
  private readonly didPlace = this.register(new Emitter<ScrollState>());
  /** Fires after each scroll of a transcript and each layout that may have moved its content. */
  readonly onDidPlace: Event<ScrollState> = this.didPlace.event;
  readonly context: PageContext;
  readonly feed: HTMLElement;
  readonly place: ReaderPlace;
  private readonly column = document.createElement('div');
  private readonly working: WorkingLine;
  private readonly pin: PinnedMessage;
  private readonly scroller: Scroller;
  private readonly terminals: Terminals;
  private readonly groups: ReadGroups;
  private readonly rows = new Rows();
  private readonly views: EntryViews;
  private readonly window: RowWindow;
  private readonly live: LiveEntries;
  private readonly announced = new Set<RequestKey>();
  private readonly said = new Set<string>();
  private shown: { session: SessionKey; transcript: Transcript } | undefined;
  private omitted = 0;
  private isFetching = false;
  private looking: number | undefined;
  /** The entry to go to as soon as it is fetched, and how. */
  private target: Target | undefined;
  /** Where the reader was before a preview. */
  private placeBefore: ScrollPlace | undefined;
  /** When the user sent the message that isn't in the transcript yet, a value of `performance.now()`. */
  private sentAt: number | undefined;

  constructor(feed: HTMLElement, context: PageContext) {
    super();
    this.feed = feed;
    this.context = context;
    this.working = new WorkingLine({
      announce: (sentence) => context.announce(sentence),
      stopTurn: () => context.post({ type: 'cancelTurn', session: this.session }),
      showLog: () => context.post({ type: 'errorAction', session: this.session, entry: '', action: 'showLog' }),
      endProcess: () => context.post({ type: 'errorAction', session: this.session, entry: '', action: 'endProcess' }),
      keepStopping: () =>
        context.post({ type: 'errorAction', session: this.session, entry: '', action: 'keepWaiting' }),
      focusFeed: () => feed.focus({ preventScroll: true }),
    });
    this.column.className = 'pl-col';
    this.column.append(this.working.element);
    this.live = new LiveEntries(this.working);
    this.views = new EntryViews(this.rows, this);
    const positions = new Positions(
      this.views,
      () => this.shown && { transcript: this.shown.transcript, omitted: this.omitted },
    );
    this.window = new RowWindow(feed, this.column, this.working.element, this.rows, this.views, {
      draw: (id) => this.draw(id, undefined),
      remove: (view) => this.remove(view),
      drawNow: () => this.queue.now(),
      arranged: () => this.queue.addIdle(positions),
      moved: (hasScrolled) => this.scroller.moved(hasScrolled),
    });
    this.viewport = new Viewport(feed);
    this.paths = this.register(new PathLinks(feed, this.queue, (paths) => this.findPaths(paths)));
    this.pin = new PinnedMessage(feed, (id) => {
      this.place.forget();
      this.scroller.stay();
      if (this.window.reveal(id)) this.focusShown(id);
    });
    const hold = new QuestionHold(feed, () => this.live.questions());
    const onScroll = () => {
      this.window.look();
      this.reportPlace();
    };
    const onLayout = () => {
      this.lookSoon();
      this.reportPlace();
    };
    this.scroller = this.register(
      new Scroller(feed, this.column, this.queue, hold, onScroll, onLayout, (place) => {
        if (place) this.place.restore(place);
        else this.place.forget();
      }),
    );
    this.place = new ReaderPlace(feed, this.window, this.scroller, this.queue);
    this.terminals = new Terminals(context, this.queue, this.viewport);
    this.groups = new ReadGroups(
      context,
      (element) => this.views.step(element),
      (above, below) => this.rows.mayPart(this.rows.own(above.entry.id), this.rows.own(below.entry.id)),
    );
    warmUp(this.queue);
    feed.addEventListener('click', (event) => handleClick(event, context));
    feed.addEventListener('keydown', (event) => handleKey(event, this));
    document.addEventListener('copy', (event) => this.copySelection(event));
  }

  get session(): SessionKey {
    return this.shown?.session ?? ('' as SessionKey);
  }

  get transcript(): Transcript {
    if (!this.shown) throw new Error('No transcript is shown');
    return this.shown.transcript;
  }

  /** Shows a whole transcript. Preserves the reader's place if the session is the same. */
  show(session: SessionKey, transcript: Transcript, omitted: number): void {
    const place = this.shown?.session === session ? this.place.now : undefined;
    if (this.shown?.session !== session) this.paths.forget();
    this.clear();
    this.shown = { session, transcript };
    this.omitted = omitted;
    this.pin.attach();
    this.scroller.attach();
    this.rows.isCompact = this.context.page.toolDetail === 'compact';
    this.rows.rebuild(transcript);
    this.attachColumn();
    this.window.openEnd(this.asking());
    this.groups.lookAll(this.column);
    this.live.follow(transcript);
    this.scroller.toEnd();
    if (place) this.place.restore(place);
  }

  /** The computer was asleep for so many milliseconds. */
  slept(ms: number): void {
    this.working.slept(ms);
  }

  /** Draws the changes of ops that are already applied to the transcript. */
  changed(ops: readonly TranscriptOp[]): void {
    if (!this.shown) return;
    const touched = new Map<EntryId, AppendedText[] | undefined>();
    const last = this.transcript.order.at(-1);
    const fresh = new Set<EntryId>();
    let isOutOfOrder = false;
    for (const op of ops) {
      switch (op.op) {
        case 'insert': {
          const entry = this.transcript.entries.get(op.entry.id);
          if (entry && !this.rows.has(entry.id) && !fresh.has(entry.id)) {
            fresh.add(entry.id);
            isOutOfOrder ||= op.before !== undefined;
            if (entry.kind === 'user_message') this.refreshPlans();
          }
          touched.set(op.entry.id, undefined);
          break;
        }
        case 'replace':
          touched.set(op.entry.id, undefined);
          break;
        case 'patch':
        case 'appendContent':
        case 'summarize':
          touched.set(op.id, undefined);
          break;
        case 'appendText':
          if (!touched.has(op.id)) touched.set(op.id, []);
          touched.get(op.id)?.push({ block: op.block, text: op.text });
          break;
        case 'truncate':
          isOutOfOrder = true;
          this.scroller.forgetMessage();
          break;
        case 'terminal':
        case 'patchTerminal':
        case 'terminalOutput':
          this.terminals.changed(op, this.transcript);
          break;
        case 'view':
          this.viewChanged(op.fields);
          break;
      }
    }
    this.take(fresh, isOutOfOrder);
    for (const [id, appended] of touched) {
      const entry = this.transcript.entries.get(id);
      // An open request is on the page wherever it is.
      if (entry && isAsking(entry)) this.window.require(id);
      this.draw(id, appended);
    }
    this.scroller.added(fresh.size);
    this.bringMessage(fresh, ops);
    this.bringRestore(fresh);
    if (fresh.size > 0 && last !== undefined) this.settleBefore(last);
    this.working.sign(ops.some(({ op }) => op === 'appendText'));
    this.live.follow(this.transcript);
  }

  /** Must be called when the user sends a message that becomes an entry at once: it will be brought to the top. */
  expectMessage(): void {
    this.sentAt = performance.now();
  }

  /**
   * Brings a new message of the user to the top: the one just sent, unless the reader has scrolled since, or at the end also one that was
   * queued.
   */
  private bringMessage(fresh: ReadonlySet<EntryId>, ops: readonly TranscriptOp[]): void {
    const id = [...fresh].findLast((one) => this.transcript.entries.get(one)?.kind === 'user_message');
    if (id === undefined) return;
    const { sentAt } = this;
    this.sentAt = undefined;
    const place = this.place.now;
    const isQueued = ops.some((op) => op.op === 'view' && op.fields.queue !== undefined);
    if (sentAt === undefined ? !isQueued || !place.atEnd : this.scroller.hand.hasWorkedSince(sentAt)) return;
    this.place.forget();
    this.window.reveal(id);
    this.scroller.toMessage(() => this.views.get(id)?.element, place.atEnd ? undefined : place);
  }

  /** Brings the notice of a restore that the user just made into view: it is at the end, far from an early message, and can undo it. */
  private bringRestore(fresh: ReadonlySet<EntryId>): void {
    const id = [...fresh].findLast((one) => {
      const entry = this.transcript.entries.get(one);
      return entry?.kind === 'notice' && entry.restore !== undefined;
    });
    if (id === undefined) return;
    const place = this.place.now;
    const hadFocus = this.feed !== document.activeElement && this.feed.contains(document.activeElement);
    this.place.forget();
    this.window.reveal(id);
    this.scroller.toEndFrom(place.atEnd ? undefined : place);
    // The form that asked for the restore goes.
    if (hadFocus) this.views.get(id)?.element.focus({ preventScroll: true });
  }

  /** Inserts older entries before the first one. Visible entries stay in place. */
  older(entries: readonly Entry[], omitted: number): void {
    this.isFetching = false;
    this.omitted = omitted;
    if (!this.shown || entries.length === 0) return;
    this.window.hold(() => {
      this.rows.rebuild(this.transcript);
      this.sync();
      for (const id of this.asking()) this.window.require(id);
    });
    if (this.target) this.bring(this.target);
  }

  /** Whether the oldest entries can leave the page unnoticed: the reader is at the end and uses nothing in the transcript. */
  get mayTrim(): boolean {
    return this.scroller.isFollowing && !this.scroller.isUserBusy() && this.target === undefined;
  }

  /** Removes the oldest entries from the page. They are fetched again when the reader scrolls up. */
  trim(dropped: readonly EntryId[], omitted: number): void {
    this.omitted = omitted;
    this.isFetching = false;
    for (const id of dropped) this.remove(this.views.get(id));
    this.rows.rebuild(this.transcript);
    this.sync();
    this.scroller.toEnd();
  }

  clear(): void {
    this.window.clear();
    this.rows.clear();
    this.views.clear();
    this.live.clear();
    this.groups.clear();
    this.terminals.clear();
    this.queue.clear();
    this.pin.clear();
    this.scroller.detach();
    this.isFetching = false;
    this.target?.end();
    this.target = undefined;
    this.placeBefore = undefined;
    this.sentAt = undefined;
    this.place.forget();
    this.said.clear();
    this.shown = undefined;
    this.column.replaceChildren(this.working.element);
    this.column.remove();
    this.working.reset();
  }

  /** Draws tool calls and thoughts again after the level of detail changed. What the reader reads stays where it is. */
  detailChanged(): void {
    if (!this.shown) return;
    const steady = this.scroller.isFollowing ? undefined : this.steadyView();
    const topOf = () => steady?.element.getBoundingClientRect().top ?? 0;
    const before = topOf();
    this.rows.isCompact = this.context.page.toolDetail === 'compact';
    this.groups.dissolve();
    this.window.complete();
    for (const view of this.views.all()) if (this.views.step(view.element)) view.refresh();
    this.groups.lookAll(this.column);
    if (!steady) {
      this.scroller.toEnd();
      return;
    }
    this.feed.scrollTop += topOf() - before;
    // What is drawn again changes its height later.
    const offset = this.feed.scrollTop - steady.element.offsetTop;
    this.place.restore({ anchor: steady.entry.id, offset, atEnd: false });
  }

  /** Shows again what ended turns changed. */
  redrawTurnEnds(): void {
    for (const view of this.views.all()) if (view.entry.turnSummary) view.showTurnEnd(view.entry);
  }

  /** Folds steps again whose changes the user has reviewed since. */
  changesReviewed(): void {
    if (!this.shown) return;
    this.redrawTurnEnds();
    if (this.context.page.toolDetail !== 'compact') return;
    for (const view of this.views.all()) {
      if (view.entry.kind === 'tool_call' && view.entry.content.some(({ type }) => type === 'diff')) view.refresh();
    }
    this.groups.lookAll(this.column);
  }

  /** Moves the focus to the newest entry. Returns whether there is one. */
  focusNewest(): boolean {
    this.prepare(undefined, 'End');
    return focusNewest(this.feed);
  }

  focusOldestRequest(): boolean {
    return focusOldestRequest(this.shown?.transcript.order ?? [], this.views);
  }

  /** Passes a key to the request in sight that has the keys. */
  answerByKey(event: KeyboardEvent, isInMessage: boolean): void {
    this.live.answer(event, isInMessage);
  }

  /** Scrolls to an entry and focuses it. If necessary, fetches it with those before it. */
  goTo(id: EntryId): void {
    this.bring({ id, end: (view) => view && this.focusAt(view) });
  }

  /** Goes to a message of the user and opens its form. */
  openForm(id: EntryId, mode: 'edit' | 'restore', keepsFiles: boolean): void {
    this.bring({
      id,
      end: (view) => {
        if (view) this.focusAt(view);
        if (view instanceof UserMessageView) view.open(mode, keepsFiles);
      },
    });
  }

  /** Does the same without moving the focus. */
  preview(id: EntryId): void {
    const before = this.placeBefore ?? this.place.now;
    this.bring({
      id,
      end: (view) => {
        if (!view) return;
        scrollToEntry(view, this.views, this.groups);
        this.keepInPlace(view);
      },
    });
    this.placeBefore = before;
  }

  /** Returns to where the reader was before the first preview. */
  endPreview(): void {
    const { placeBefore } = this;
    if (!placeBefore) return;
    this.target?.end();
    this.target = undefined;
    this.placeBefore = undefined;
    this.place.forget();
    if (placeBefore.atEnd) this.scroller.toEnd();
    else this.place.restore(placeBefore);
  }

  /**
   * Opens an entry and everything that hides it, for the find widget. Resolves to its element once it is drawn, or to
   * undefined if it can't be shown, or if the list was meanwhile sent elsewhere.
   */
  reveal(id: EntryId): Promise<HTMLElement | undefined> {
    return new Promise<EntryView | undefined>((end) => this.bring({ id, end })).then(async (view) => {
      if (!view) return undefined;
      // At once, because what is far from the reader leaves the page.
      scrollToEntry(view, this.views, this.groups);
      openEntry(view, this.views, this.context);
      await this.queue.flush();
      return this.views.get(id)?.element;
    });
  }

  /** Stops following the end. The reader stays in place. */
  stay(): void {
    this.scroller.stay();
  }

  /** The element of an entry that is on the page. */
  elementOf(id: EntryId): HTMLElement | undefined {
    return this.views.get(id)?.element;
  }

  /** The entry that the reader is at: the one with the focus, or else the first in view. */
  get current(): EntryId | undefined {
    const article = document.activeElement?.closest('article');
    const focused = article && this.feed.contains(article) ? this.views.of(article)?.entry.id : undefined;
    if (focused !== undefined) return focused;
    const { anchor } = this.window.placeAt(this.feed.scrollTop);
    return anchor === '' ? this.shown?.transcript.order.at(-1) : anchor;
  }

  /** Goes to the next or the previous message of the user, also to one that isn't on the page yet. */
  stepTurn(by: 1 | -1): void {
    const { current } = this;
    if (!this.shown || current === undefined) return;
    const { order, entries } = this.transcript;
    const at = order.indexOf(current);
    const isMessage = (id: EntryId) => entries.get(id)?.kind === 'user_message';
    const next = by > 0 ? order.slice(at + 1).find(isMessage) : order.slice(0, at).findLast(isMessage);
    const [first] = order;
    if (next !== undefined) this.goTo(next);
    else if (by > 0) this.focusNewest();
    else if (this.omitted > 0 && first !== undefined) {
      this.context.post({ type: 'goToEarlierTurn', session: this.session, before: first });
    }
  }

  private focusShown(id: EntryId): void {
    const view = this.views.get(id);
    if (view) this.focusAt(view);
  }

  private focusAt(view: EntryView): void {
    focusEntry(view, this.views, this.groups);
    this.keepInPlace(view);
  }

  /** Keeps an entry where it is while those around it are drawn and get their heights. */
  private keepInPlace(view: EntryView): void {
    const { entry, element } = this.views.parentOf(view) ?? view;
    this.place.restore({ anchor: entry.id, offset: this.feed.scrollTop - element.offsetTop, atEnd: false });
  }

  private bring(target: Target): void {
    if (this.target !== target) {
      this.target?.end();
      this.placeBefore = undefined;
    }
    this.target = target;
    this.place.forget();
    this.scroller.stay();
    void this.queue.flush().then(() => {
      if (this.target !== target) return;
      if (!this.window.reveal(target.id) && this.fetchOlder()) return;
      this.target = undefined;
      target.end(this.views.get(target.id));
    });
  }

  prepare(article: HTMLElement | undefined, key: string): void {
    if (article) this.window.surround(article);
    const id = key === 'Home' ? this.rows.all[0]?.id : key === 'End' ? this.rows.all.at(-1)?.id : undefined;
    if (id !== undefined) this.window.reveal(id);
  }

  /** Resolves when everything is on screen; with `all`, its colors as well. */
  flush(all = false): Promise<void> {
    return this.queue.flush(all);
  }

  mayFold(element: HTMLElement): boolean {
    return this.scroller.isFollowing && !this.scroller.isUserBusy() && !element.matches(':hover');
  }

  mayAnimate(view: EntryView): boolean {
    return this.live.isNewest(view);
  }

  isSettled(entry: Entry): boolean {
    return isSettled(this.transcript, entry);
  }

  below(id: EntryId): EntriesBelow {
    const row = this.rows.get(id);
    const entries = row?.id === id ? row.below.flatMap((one) => this.rows.entryOf(one) ?? []) : [];
    return {
      count: entries.length,
      calls: entries.filter(({ kind }) => kind === 'tool_call' || kind === 'subagent').length,
      isUrgent: entries.some(isUrgent),
    };
  }

  terminalOutput(id: TerminalId): TerminalOutput | undefined {
    return this.terminals.output(id, this.transcript, this.session);
  }

  announceRequest(request: RequestKey, sentence: string): void {
    if (this.announced.has(request)) return;
    this.announced.add(request);
    this.context.alert(sentence);
  }

  isFirstTime(key: string): boolean {
    const isFirst = !this.said.has(key);
    this.said.add(key);
    return isFirst;
  }

  toggle(article: HTMLElement): boolean {
    return this.groups.toggle(article) || (this.views.of(article)?.toggle() ?? false);
  }

  copy(article: HTMLElement): void {
    const id = this.views.of(article)?.entry.id;
    if (id !== undefined) this.context.post({ type: 'copyMarkdown', session: this.session, entry: id, scope: 'entry' });
  }

  private attachColumn(): void {
    // Without entries, the feed stays empty, because assistive technology considers any other content in it an error.
    if (!this.column.isConnected && this.rows.all.length > 0) this.feed.append(this.column);
  }

  /** Takes over entries that were added to the transcript, and updates the page if others were moved or removed. */
  private take(fresh: ReadonlySet<EntryId>, isOutOfOrder: boolean): void {
    if (fresh.size === 0 && !isOutOfOrder) return;
    const rows = new Set<Row>();
    const below = new Map<EntryId, Row>();
    if (isOutOfOrder) {
      for (const view of this.views.gone(this.transcript)) this.remove(view);
      this.rows.rebuild(this.transcript);
    }
    for (const id of fresh) {
      const entry = this.transcript.entries.get(id);
      if (!entry) continue;
      const row = isOutOfOrder ? this.rows.get(id) : this.rows.append(entry);
      if (row?.id === id) rows.add(row);
      else if (row) below.set(id, row);
    }
    this.attachColumn();
    if (isOutOfOrder) this.sync();
    this.window.added([...rows], this.scroller.isFollowing);
    for (const [id, row] of below) this.window.grow(row, id);
    if (isOutOfOrder || this.window.isCrowded) this.window.look();
  }

  private sync(): void {
    this.window.sync((row) => this.context.setExpanded(row.id, true));
  }

  /** The entries with an open request, which are on the page wherever they are. */
  private asking(): readonly EntryId[] {
    const { order, entries } = this.transcript;
    return order.filter((id) => {
      const entry = entries.get(id);
      return entry !== undefined && isAsking(entry);
    });
  }

  private draw(id: EntryId, appended: readonly AppendedText[] | undefined): void {
    const entry = this.transcript.entries.get(id);
    const view = entry && this.views.fitting(entry);
    if (!view) return;
    const answersByKey = isAsking(view.entry) && view.element.contains(document.activeElement);
    view.set(entry, appended);
    view.showTurnEnd(entry);
    view.showOrigin(entry);
    // Whoever answers the newest request by key continues with the agent, at the end of the transcript.
    if (answersByKey && !isAsking(entry) && this.transcript.order.at(-1) === id) {
      this.feed.focus({ preventScroll: true });
      this.scroller.toEnd();
    }
    this.live.note(view);
    if (appended === undefined) this.views.parentOf(view)?.refresh();
    if (entry.kind === 'subagent') this.settleBefore();
    if (!(view instanceof ToolCallView)) {
      const isStep = view instanceof ThoughtView || this.views.step(view.element.previousElementSibling);
      if (appended === undefined && isStep) this.groups.look(view.element);
      return;
    }
    this.terminals.follow(view);
    this.groups.look(view.element);
  }

  /** Refreshes the newest entries except `last`, because those before it or added with it may be complete now. */
  private settleBefore(last?: EntryId): void {
    const { order } = this.transcript;
    for (const id of order.slice(-12)) if (id !== last) this.views.get(id)?.refresh();
  }

  private remove(view: EntryView | undefined): void {
    if (!view) return;
    if (view instanceof ThoughtView) this.groups.leave(view);
    if (view instanceof ToolCallView) {
      this.groups.leave(view);
      this.terminals.leave(view);
    }
    this.live.forget(view);
    this.views.remove(view.entry.id);
  }

  private viewChanged(fields: Partial<Transcript['view']>): void {
    if (fields.plans) this.refreshPlans();
    if (fields.activity) this.settleBefore();
    if (fields.agentName !== undefined) for (const view of this.views.all()) view.refresh();
  }

  private refreshPlans(): void {
    for (const view of this.views.all()) if (view.entry.kind === 'plan') view.refresh();
  }

  /** Returns the entry that never folds nearest to the top of the part in view. */
  private steadyView(): EntryView | undefined {
    const { top } = this.feed.getBoundingClientRect();
    let found: EntryView | undefined;
    for (const element of this.column.children) {
      const view = this.views.of(element);
      if (!view || this.views.step(element)) continue;
      found = view;
      if (element.getBoundingClientRect().bottom > top) break;
    }
    return found;
  }

  private findPaths(paths: readonly string[]): void {
    if (this.shown) this.context.post({ type: 'findPaths', session: this.session, paths });
  }

  private reportPlace(): void {
    // Removing a transcript also causes a scroll event.
    if (!this.shown) return;
    this.didPlace.fire(this.scroller.state);
    this.pin.update(this.rows, this.window, this.views);
    this.live.checkPlaces();
    const before = this.scroller.placeBefore;
    if (before) {
      const { anchor, offset } = this.window.placeAt(this.feed.scrollTop);
      const isThere = anchor === before.anchor && Math.abs(offset - before.offset) < this.feed.clientHeight / 2;
      if (isThere) this.scroller.reachedPlaceBefore();
    }
    if (this.feed.scrollTop <= nearTop && !this.scroller.isFollowing) this.fetchOlder();
  }

  /** Copies a selection with the entries in it that aren't on the page. */
  private copySelection(event: ClipboardEvent): void {
    if (event.target instanceof Element && event.target.matches('textarea, input')) return;
    const text = textAcross(this.column, document.getSelection(), (gap) =>
      this.window.rowsOf(gap).flatMap((row) => this.rows.entryOf(row) ?? []),
    );
    if (text === undefined || !event.clipboardData) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  }

  /** Looks at the window with the next frame, because the sizes that it changes are being observed now. */
  private lookSoon(): void {
    this.looking ??= requestAnimationFrame(() => {
      this.looking = undefined;
      if (this.shown) this.window.look();
    });
  }

  /** Requests older entries if the host has any and no request is pending. Returns whether a request is pending. */
  private fetchOlder(): boolean {
    const [first] = this.shown?.transcript.order ?? [];
    if (this.omitted === 0 || !first) return false;
    if (!this.isFetching) this.context.post({ type: 'fetchOlder', session: this.session, before: first });
    this.isFetching = true;
    return true;
  }
}
