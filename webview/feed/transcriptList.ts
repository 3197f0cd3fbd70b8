import { Disposable } from '../../src/shared/values/disposable';
import { Emitter, type Event } from '../../src/shared/values/event';
import type { EntryId, SessionKey } from '../../src/shared/values/ids';
import type { TranscriptOp } from '../../src/shared/transcript/ops';
import type { Entry, Transcript } from '../../src/shared/transcript/transcript';
import type { PageContext } from '../state/pageContext';
import type { AppendedText, EntryView } from '../entries/view/entryView';
import { textAcross } from './navigation/copyAcross';
import { DrawnEntries } from './drawn/drawnEntries';
import { EntrySurroundings } from './drawn/entrySurroundings';
import { EntryViews } from './rows/entryViews';
import { LiveEntries } from './drawn/liveEntries';
import { OwnEntries } from './navigation/ownEntries';
import { PathLinks } from './drawn/pathLinks';
import { PinnedMessage } from './scroll/pinnedMessage';
import { Positions } from './rows/positions';
import { QuestionHold } from './scroll/questionHold';
import { ReadGroups } from './rows/readGroups';
import { ReaderPlace } from './scroll/readerPlace';
import { RenderQueue } from '../base/renderQueue';
import { Rows, type Row } from './rows/rows';
import { RowWindow } from './rows/rowWindow';
import { Scroller, type ScrollState } from './scroll/scroller';
import { ShownTranscript } from './rows/shownTranscript';
import { Terminals } from './drawn/terminals';
import { isWaitingForAnswer } from '../../src/shared/transcript/openQuestion';
import { handleClick } from './navigation/transcriptClicks';
import { TranscriptKeys } from './navigation/transcriptKeys';
import { TranscriptNavigation } from './navigation/transcriptNavigation';
import { Viewport } from '../base/viewport';
import { warmUp } from '../markdown/warmUp';
import { WorkingLine } from './drawn/workingLine';

/** Distance from the top at which older entries are fetched, in px. */
const nearTop = 600;

/**
 * The transcript on the page. It is updated by ops: only entries they affect are drawn, in slices, at most once per frame. Entries far from
 * the part in view aren't on the page, so a long session costs no more than a short one.
 */
export class TranscriptList extends Disposable {
  readonly paths: PathLinks;
  readonly place: ReaderPlace;
  /** Takes the reader to entries. */
  readonly navigation: TranscriptNavigation;
  /** Entries that the user's own actions add. */
  readonly own: OwnEntries;
  private readonly didPlace = this.register(new Emitter<ScrollState>());
  /** Fires after each scroll of a transcript and each layout that may have moved its content. */
  readonly onDidPlace: Event<ScrollState> = this.didPlace.event;
  private readonly queue = new RenderQueue(() => {
    this.window.drained();
    this.scroller.drained();
  });
  private readonly feed: HTMLElement;
  private readonly context: PageContext;
  private readonly shown: ShownTranscript;
  private readonly column = document.createElement('div');
  private readonly working: WorkingLine;
  private readonly pin: PinnedMessage;
  private readonly scroller: Scroller;
  private readonly groups: ReadGroups;
  private readonly rows = new Rows();
  private readonly surroundings: EntrySurroundings;
  private readonly views: EntryViews;
  private readonly drawn: DrawnEntries;
  private readonly window: RowWindow;
  private readonly live: LiveEntries;
  private looking: number | undefined;

  constructor(feed: HTMLElement, context: PageContext) {
    super();
    this.feed = feed;
    this.context = context;
    this.shown = new ShownTranscript(context);
    const { shown, queue, rows } = this;
    const session = () => shown.session;
    this.working = new WorkingLine({
      announce: (sentence) => context.announce(sentence),
      stopTurn: () => context.post({ type: 'cancelTurn', session: session() }),
      showLog: () => context.post({ type: 'errorAction', session: session(), entry: '', action: 'showLog' }),
      endProcess: () => context.post({ type: 'errorAction', session: session(), entry: '', action: 'endProcess' }),
      keepStopping: () => context.post({ type: 'errorAction', session: session(), entry: '', action: 'keepWaiting' }),
      focusFeed: () => feed.focus({ preventScroll: true }),
    });
    this.column.className = 'pl-col';
    this.column.append(this.working.element);
    this.live = new LiveEntries(this.working);
    const viewport = new Viewport(feed);
    this.paths = this.register(
      new PathLinks(feed, queue, (paths) => {
        if (!shown.isEmpty) context.post({ type: 'findPaths', session: shown.session, paths });
      }),
    );
    const { live, paths } = this;
    const hold = new QuestionHold(feed, () => live.questions());
    const onScroll = () => {
      this.window.look();
      this.reportPlace();
    };
    const onLayout = () => {
      this.lookSoon();
      this.reportPlace();
    };
    this.scroller = this.register(
      new Scroller(
        feed,
        this.column,
        queue,
        hold,
        onScroll,
        onLayout,
        (place) => {
          if (place) this.place.restore(place);
          else this.place.forget();
        },
        (id) => this.elementOf(id),
      ),
    );
    const { scroller } = this;
    const terminals = new Terminals(context, queue, viewport);
    const around = { context, queue, viewport, paths, shown, rows, live, scroller, terminals };
    this.surroundings = new EntrySurroundings(around);
    this.views = new EntryViews(rows, this.surroundings);
    const { views } = this;
    this.groups = new ReadGroups(
      context,
      (element) => views.step(element),
      (above, below) => rows.mayPart(rows.own(above.entry.id), rows.own(below.entry.id)),
    );
    const { groups } = this;
    this.drawn = new DrawnEntries(feed, shown, views, scroller, { groups, terminals, live });
    const positions = new Positions(views, shown);
    this.window = new RowWindow(feed, this.column, this.working.element, rows, views, {
      draw: (id) => this.drawn.draw(id, undefined),
      remove: (view) => this.drawn.remove(view),
      drawNow: () => queue.now(),
      isFollowing: () => scroller.isFollowing,
      arranged: () => queue.addIdle(positions),
      moved: (hasScrolled) => scroller.moved(hasScrolled),
    });
    const { window } = this;
    this.place = new ReaderPlace(feed, window, scroller, queue);
    const { place } = this;
    const parts = { feed, context, shown, rows, views, groups, window, scroller, place, queue };
    this.navigation = new TranscriptNavigation(parts);
    this.own = new OwnEntries(parts);
    this.pin = new PinnedMessage(feed, (id) => this.navigation.goToFetched(id));
    warmUp(queue);
    feed.addEventListener('click', (event) => handleClick(event, context));
    const keys = new TranscriptKeys({ ...parts, navigation: this.navigation });
    feed.addEventListener('keydown', (event) => keys.handle(event));
    document.addEventListener('copy', (event) => this.copySelection(event));
  }

  /** Shows a whole transcript. Preserves the reader's place if the session is the same. */
  show(session: SessionKey, transcript: Transcript, omitted: number): void {
    const isSame = !this.shown.isEmpty && this.shown.session === session;
    const place = isSame ? this.place.now : undefined;
    if (!isSame) this.paths.forget();
    this.clear();
    this.shown.open(session, transcript, omitted);
    this.pin.attach();
    this.scroller.attach();
    this.rows.isCompact = this.context.page.toolDetail === 'compact';
    this.rows.rebuild(transcript);
    this.attachColumn();
    this.window.openEnd(this.shown.asking);
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
    if (this.shown.isEmpty) return;
    const touched = new Map<EntryId, AppendedText[] | undefined>();
    const last = this.shown.transcript.order.at(-1);
    const fresh = new Set<EntryId>();
    let isOutOfOrder = false;
    for (const op of ops) {
      switch (op.op) {
        case 'insert': {
          const entry = this.shown.transcript.entries.get(op.entry.id);
          if (entry && !this.rows.has(entry.id) && !fresh.has(entry.id)) {
            fresh.add(entry.id);
            isOutOfOrder ||= op.before !== undefined;
            if (entry.kind === 'user_message') this.drawn.drawPlans();
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
          this.drawn.drawTerminal(op);
          break;
        case 'view':
          this.drawn.drawView(op.fields);
          break;
      }
    }
    this.take(fresh, isOutOfOrder);
    for (const [id, appended] of touched) {
      const entry = this.shown.transcript.entries.get(id);
      // An open request is on the page wherever it is.
      if (entry && isWaitingForAnswer(entry)) this.window.require(id);
      this.drawn.draw(id, appended);
    }
    this.scroller.added(fresh);
    this.own.added(fresh, ops);
    if (fresh.size > 0 && last !== undefined) this.drawn.settleBefore(last);
    this.working.sign(ops.some(({ op }) => op === 'appendText'));
    this.live.follow(this.shown.transcript);
  }

  /** Inserts older entries before the first one. Visible entries stay in place. */
  older(entries: readonly Entry[], omitted: number): void {
    this.shown.changedStart(omitted);
    if (this.shown.isEmpty || entries.length === 0) return;
    this.window.hold(() => {
      this.rows.rebuild(this.shown.transcript);
      this.sync();
      for (const id of this.shown.asking) this.window.require(id);
    });
    this.navigation.olderArrived();
  }

  /** Whether the oldest entries can leave the page unnoticed: the reader is at the end and uses nothing in the transcript. */
  get mayTrim(): boolean {
    return this.scroller.isFollowing && !this.scroller.isUserBusy() && !this.navigation.isUnderway;
  }

  /** Removes the oldest entries from the page. They are fetched again when the reader scrolls up. */
  trim(dropped: readonly EntryId[], omitted: number): void {
    this.shown.changedStart(omitted);
    for (const id of dropped) this.drawn.remove(this.views.get(id));
    this.rows.rebuild(this.shown.transcript);
    this.sync();
    this.scroller.toEnd();
  }

  clear(): void {
    this.window.clear();
    this.rows.clear();
    this.drawn.clear();
    this.queue.clear();
    this.pin.clear();
    this.scroller.detach();
    this.navigation.clear();
    this.own.forget();
    this.place.forget();
    this.surroundings.forget();
    this.shown.close();
    this.column.replaceChildren(this.working.element);
    this.column.remove();
    this.working.reset();
  }

  /** Draws tool calls and thoughts again after the level of detail changed. What the reader reads stays where it is. */
  detailChanged(): void {
    if (this.shown.isEmpty) return;
    const steady = this.scroller.isFollowing ? undefined : this.steadyView();
    const topOf = () => steady?.element.getBoundingClientRect().top ?? 0;
    const before = topOf();
    this.rows.isCompact = this.context.page.toolDetail === 'compact';
    this.groups.dissolve();
    this.window.complete();
    this.drawn.drawSteps();
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
    this.drawn.drawTurnEnds();
  }

  /** Shows what can still be reviewed. Folds steps again whose changes the user has reviewed since. */
  changesReviewed(): void {
    if (this.shown.isEmpty) return;
    this.drawn.drawTurnEnds();
    this.drawn.drawOffers();
    if (this.context.page.toolDetail !== 'compact') return;
    this.drawn.drawChanges();
    this.groups.lookAll(this.column);
  }

  /** Passes a key to the request in sight that has the keys. */
  answerByKey(event: KeyboardEvent, isInMessage: boolean): void {
    this.live.answer(event, isInMessage);
  }

  /** Stops following the end. The reader stays in place. */
  stay(): void {
    this.scroller.stay();
  }

  /** The element of an entry that is on the page. */
  elementOf(id: EntryId): HTMLElement | undefined {
    return this.views.get(id)?.element;
  }

  /** Resolves when everything is on screen; with `all`, its colors as well. */
  flush(all = false): Promise<void> {
    return this.queue.flush(all);
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
      this.drawn.removeGone(this.shown.transcript);
      this.rows.rebuild(this.shown.transcript);
    }
    for (const id of fresh) {
      const entry = this.shown.transcript.entries.get(id);
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

  private reportPlace(): void {
    // Removing a transcript also causes a scroll event.
    if (this.shown.isEmpty) return;
    this.didPlace.fire(this.scroller.state);
    this.pin.update(this.rows, this.window, this.views);
    this.live.checkPlaces();
    const before = this.scroller.placeBefore;
    if (before) {
      const { anchor, offset } = this.window.placeAt(this.feed.scrollTop);
      const isThere = anchor === before.anchor && Math.abs(offset - before.offset) < this.feed.clientHeight / 2;
      if (isThere) this.scroller.reachedPlaceBefore();
    }
    if (this.feed.scrollTop <= nearTop && !this.scroller.isFollowing) this.shown.fetchOlder();
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
      if (!this.shown.isEmpty) this.window.look();
    });
  }
}
