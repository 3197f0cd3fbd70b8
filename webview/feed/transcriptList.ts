import { Disposable } from '../../src/shared/disposable';
import { Emitter, type Event } from '../../src/shared/event';
import type { EntryId, RequestKey, SessionKey, TerminalId } from '../../src/shared/ids';
import type { TranscriptOp } from '../../src/shared/ops';
import type { Entry, Transcript } from '../../src/shared/transcript';
import type { PageContext } from '../state/pageContext';
import type { AppendedText, EntryScope, EntryView } from '../entries/entryView';
import { isSettled } from '../entries/speaker';
import { ToolCallView } from '../entries/toolCall';
import { EntryViews } from './entryViews';
import { focusEntry, focusOldestRequest, openEntry, scrollToEntry } from './goTo';
import { LiveEntries } from './liveEntries';
import { PinnedMessage } from './pinnedMessage';
import { QuestionHold } from './questionHold';
import { ReadGroups } from './readGroups';
import { ReaderPlace } from './readerPlace';
import { RenderQueue } from '../base/renderQueue';
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
 * The transcript on the page. It is updated by ops: only entries they affect are drawn, in slices, at most once per frame. Entries out of
 * sight cost no layout.
 */
export class TranscriptList extends Disposable implements EntryScope {
  readonly queue = new RenderQueue(() => this.scroller.drained());
  readonly viewport: Viewport;
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
  private readonly views: EntryViews;
  private readonly live: LiveEntries;
  private readonly announced = new Set<RequestKey>();
  private shown: { session: SessionKey; transcript: Transcript } | undefined;
  private omitted = 0;
  private isFetching = false;
  /** The entry to go to as soon as it is fetched, and how. */
  private target: Target | undefined;

  constructor(feed: HTMLElement, context: PageContext) {
    super();
    this.feed = feed;
    this.context = context;
    this.working = new WorkingLine({
      announce: (sentence) => context.announce(sentence),
      stopTurn: () => context.post({ type: 'cancelTurn', session: this.session }),
      showLog: () => context.post({ type: 'errorAction', session: this.session, entry: '', action: 'showLog' }),
      focusFeed: () => feed.focus({ preventScroll: true }),
    });
    this.column.className = 'pl-col';
    this.column.append(this.working.element);
    this.live = new LiveEntries(this.working);
    this.views = new EntryViews(this.column, this.working.element, this);
    this.viewport = new Viewport(feed);
    this.pin = new PinnedMessage(feed);
    const hold = new QuestionHold(feed, () => this.live.questions());
    this.scroller = this.register(new Scroller(feed, this.column, this.queue, hold, () => this.reportPlace()));
    this.place = new ReaderPlace(feed, this.views, this.scroller, this.queue);
    this.terminals = new Terminals(context, this.queue, this.viewport);
    this.groups = new ReadGroups(context, (element) => this.views.toolCall(element));
    warmUp(this.queue);
    feed.addEventListener('click', (event) => handleClick(event, context));
    feed.addEventListener('keydown', (event) => handleKey(event, this));
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
    this.clear();
    this.shown = { session, transcript };
    this.omitted = omitted;
    this.pin.attach();
    this.scroller.attach();
    const entries = transcript.order.flatMap((id) => transcript.entries.get(id) ?? []);
    for (const entry of entries) this.insert(entry, undefined);
    // In order: with this many tasks, the queue draws the newest first, which are what the user sees.
    for (const entry of entries) this.draw(entry.id, undefined);
    for (const view of this.views.all()) this.groups.look(view.element);
    this.live.follow(transcript);
    this.scroller.toEnd();
    if (place) this.place.restore(place);
  }

  /** Draws the changes of ops that are already applied to the transcript. */
  changed(ops: readonly TranscriptOp[]): void {
    if (!this.shown) return;
    const touched = new Map<EntryId, AppendedText[] | undefined>();
    const last = this.transcript.order.at(-1);
    let added = 0;
    for (const op of ops) {
      switch (op.op) {
        case 'insert': {
          const entry = this.transcript.entries.get(op.entry.id);
          if (entry && !this.views.has(entry.id)) {
            this.insert(entry, op.before);
            added++;
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
          touched.set(op.id, undefined);
          break;
        case 'appendText':
          if (!touched.has(op.id)) touched.set(op.id, []);
          touched.get(op.id)?.push({ block: op.block, text: op.text });
          break;
        case 'truncate':
          this.truncate();
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
    for (const [id, appended] of touched) this.draw(id, appended);
    this.scroller.added(added);
    if (added > 0 && last !== undefined) this.settleBefore(last);
    this.working.sign(ops.some(({ op }) => op === 'appendText'));
    this.live.follow(this.transcript);
  }

  /** Inserts older entries before the first one. Visible entries stay in place. */
  older(entries: readonly Entry[], omitted: number): void {
    this.isFetching = false;
    this.omitted = omitted;
    if (!this.shown || entries.length === 0) return;
    const first = [...this.column.children].find((child) => child.tagName === 'ARTICLE');
    const before = first?.getBoundingClientRect().top ?? 0;
    const anchor = first ? this.views.of(first)?.entry.id : undefined;
    for (const entry of entries) this.insert(entry, anchor);
    this.views.adopt();
    for (const entry of entries) this.draw(entry.id, undefined);
    this.feed.scrollTop += (first?.getBoundingClientRect().top ?? 0) - before;
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
    this.scroller.toEnd();
  }

  clear(): void {
    this.views.clear();
    this.live.clear();
    this.groups.clear();
    this.terminals.clear();
    this.queue.clear();
    this.pin.clear();
    this.isFetching = false;
    this.target?.end();
    this.target = undefined;
    this.place.forget();
    this.shown = undefined;
    this.column.replaceChildren(this.working.element);
    this.column.remove();
    this.working.reset();
  }

  /** Moves the focus to the newest entry. Returns whether there is one. */
  focusNewest(): boolean {
    return focusNewest(this.feed);
  }

  focusOldestRequest(): boolean {
    return focusOldestRequest(this.shown?.transcript.order ?? [], this.views);
  }

  /** Scrolls to an entry and focuses it. If necessary, fetches it with those before it. */
  goTo(id: EntryId): void {
    this.bring({ id, end: (view) => view && focusEntry(view, this.groups) });
  }

  /** Does the same without moving the focus. */
  preview(id: EntryId): void {
    this.bring({ id, end: (view) => view && scrollToEntry(view, this.groups) });
  }

  /**
   * Opens an entry and everything that hides it, for the find widget. Resolves to its element once it is drawn, or to
   * undefined if it can't be shown, or if the list was meanwhile sent elsewhere.
   */
  reveal(id: EntryId): Promise<HTMLElement | undefined> {
    return new Promise<EntryView | undefined>((end) => this.bring({ id, end })).then(async (view) => {
      if (!view) return undefined;
      this.groups.reveal(view.element);
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
    const { anchor } = this.views.placeAt(this.feed.scrollTop);
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

  private bring(target: Target): void {
    if (this.target !== target) this.target?.end();
    this.target = target;
    this.place.forget();
    this.scroller.stay();
    void this.queue.flush().then(() => {
      if (this.target !== target) return;
      const view = this.views.get(target.id);
      if (!view && this.fetchOlder()) return;
      this.target = undefined;
      target.end(view);
    });
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

  terminalOutput(id: TerminalId): TerminalOutput | undefined {
    return this.terminals.output(id, this.transcript, this.session);
  }

  announceRequest(request: RequestKey, sentence: string): void {
    if (this.announced.has(request)) return;
    this.announced.add(request);
    this.context.alert(sentence);
  }

  toggle(article: HTMLElement): boolean {
    return this.groups.toggle(article) || (this.views.of(article)?.toggle() ?? false);
  }

  copy(article: HTMLElement): void {
    const id = this.views.of(article)?.entry.id;
    if (id !== undefined) this.context.post({ type: 'copyMarkdown', session: this.session, entry: id, scope: 'entry' });
  }

  private insert(entry: Entry, before: EntryId | undefined): void {
    // Without entries, the feed stays empty, because assistive technology considers any other content in it an error.
    if (!this.column.isConnected) this.feed.append(this.column);
    this.views.insert(entry, before);
  }

  private draw(id: EntryId, appended: readonly AppendedText[] | undefined): void {
    const entry = this.transcript.entries.get(id);
    const view = entry && this.views.fitting(entry);
    if (!view) return;
    const answersByKey = isAsking(view.entry) && view.element.contains(document.activeElement);
    view.set(entry, appended);
    // Whoever answers the newest request by key continues with the agent, at the end of the transcript.
    if (answersByKey && !isAsking(entry) && this.transcript.order.at(-1) === id) {
      this.feed.focus({ preventScroll: true });
      this.scroller.toEnd();
    }
    this.live.note(view);
    if (appended === undefined) this.views.parentOf(view)?.refresh();
    if (entry.kind === 'subagent') this.settleBefore();
    if (!(view instanceof ToolCallView)) {
      const before = view.element.previousElementSibling;
      if (appended === undefined && this.views.toolCall(before)) this.groups.look(view.element);
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

  private truncate(): void {
    for (const view of this.views.gone(this.transcript)) this.remove(view);
  }

  private remove(view: EntryView | undefined): void {
    if (!view) return;
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

  private reportPlace(): void {
    // Removing a transcript also causes a scroll event.
    if (!this.shown) return;
    this.didPlace.fire(this.scroller.state);
    this.pin.update(this.views.messages);
    this.live.checkPlaces();
    if (this.feed.scrollTop <= nearTop && !this.scroller.isFollowing) this.fetchOlder();
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
