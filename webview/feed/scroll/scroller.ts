import * as l10n from '@vscode/l10n';
import { Disposable, toDisposable } from '../../../src/shared/values/disposable';
import type { EntryId } from '../../../src/shared/values/ids';
import type { QuestionHold } from './questionHold';
import type { RenderQueue } from '../../base/renderQueue';
import type { ScrollPlace } from '../../state/memory';
import { RoomBelow } from './roomBelow';
import { UnseenEntries } from './unseenEntries';
import { UserScrollTracker } from './userScrollTracker';
import { WayBack } from './wayBack';

/** Whether the reader is at the end, and how many entries were added below since they left it and haven't come into view. */
export interface ScrollState {
  readonly atEnd: boolean;
  readonly unseen: number;
}

/** Maximum distance from the end that counts as at the end, in px. */
const nearEnd = 8;
/** Time between two scrolls to the end while the page catches up, in milliseconds. */
const catchUpMs = 120;

/**
 * Keeps the end of the transcript in sight until the user scrolls, selects text, or moves the focus into it. Then it no longer scrolls
 * automatically, and the jump button shows how much is new.
 */
export class Scroller extends Disposable {
  private readonly feed: HTMLElement;
  private readonly queue: RenderQueue;
  private readonly hold: QuestionHold;
  private readonly room: RoomBelow;
  /** The row of the buttons below the transcript. */
  private readonly buttons = document.createElement('div');
  private readonly jump = document.createElement('button');
  private readonly wayBack: WayBack;
  private readonly goTo: (place: ScrollPlace | undefined) => void;
  private readonly label = document.createElement('span');
  private follows = true;
  /** Whether only a held request prevents scrolling to the end. */
  private isHeldBack = false;
  private readonly unseen: UnseenEntries;
  private lastTop = 0;
  /** The sizes of content and window at the last check. */
  private lastSizes = '';
  readonly hand: UserScrollTracker;
  /** Whether the next scroll event is caused by this class. Reading the place again would only force a layout. */
  private isOwnScroll = false;
  private settledAt = 0;
  private owes = false;
  private later: ReturnType<typeof setTimeout> | undefined;
  private reportedState: ScrollState = { atEnd: true, unseen: 0 };

  /**
   * `content` is the growing child of `feed`. `onScroll` runs after every scroll, and `onLayout` after a change of sizes, which it must not
   * change itself. `goTo` returns the reader to a place, or stops returning. `elementOf` returns the element of an entry on the page.
   */
  constructor(
    feed: HTMLElement,
    content: HTMLElement,
    queue: RenderQueue,
    hold: QuestionHold,
    onScroll: () => void,
    onLayout: () => void,
    goTo: (place: ScrollPlace | undefined) => void,
    elementOf: (id: EntryId) => HTMLElement | undefined,
  ) {
    super();
    this.feed = feed;
    this.unseen = new UnseenEntries(feed, elementOf);
    this.room = new RoomBelow(feed, content);
    this.queue = queue;
    this.hold = hold;
    this.goTo = goTo;
    this.hand = this.register(new UserScrollTracker(feed));
    this.makeJump();
    this.wayBack = new WayBack(this.buttons, (place) => {
      this.showButtons();
      // First, because moving the focus counts as the reader's movement.
      feed.focus({ preventScroll: true });
      goTo(place);
    });
    const look = () => {
      if (this.isDisposed) return;
      this.scrolled();
      onScroll();
    };
    const onScrolled = () => {
      const isOwn = this.isOwnScroll;
      this.isOwnScroll = false;
      // Whether the user has scrolled, too, is checked when the content next grows or has stopped growing.
      clearTimeout(this.later);
      if (isOwn && this.follows) this.later = setTimeout(look, 150);
      else look();
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && feed.scrollHeight > feed.clientHeight) this.stay();
    };
    feed.addEventListener('scroll', onScrolled, { passive: true });
    feed.addEventListener('wheel', onWheel, { passive: true });
    const sizes = new ResizeObserver(() => {
      this.takeClamp();
      if (this.mayWait()) return;
      this.settle();
      onLayout();
    });
    sizes.observe(content);
    sizes.observe(feed);
    this.register(
      toDisposable(() => {
        feed.removeEventListener('scroll', onScrolled);
        feed.removeEventListener('wheel', onWheel);
        sizes.disconnect();
        this.buttons.remove();
      }),
    );
  }

  get state(): ScrollState {
    return { atEnd: this.isFollowing, unseen: this.unseen.count };
  }

  get isFollowing(): boolean {
    return this.follows && !this.isHeldBack;
  }

  /** Reads the reader's current place, because a scroll event of theirs may still be pending. */
  look(): void {
    if (!this.isDisposed) this.scrolled();
  }

  /** Adds the buttons below the feed. */
  attach(): void {
    if (!this.buttons.isConnected) this.feed.after(this.buttons);
  }

  /** Removes the buttons and the room below, because no transcript is shown. */
  detach(): void {
    this.forgetMessage();
    this.buttons.remove();
  }

  /** Must be called after drawing: stays at the end if the reader is there. */
  settle(): void {
    // A held request also keeps content in place that the user is using.
    const hasLeft = this.follows && (this.hasMovedUp() || (!this.hold.isHolding && this.isUserBusy()));
    if (hasLeft && !this.isAtEnd()) this.leave();
    this.goOn();
  }

  /** Called when the queue is empty: the next resize scrolls to the end immediately. If none follows, this does. */
  drained(): void {
    this.settledAt = 0;
    // The request that prevented scrolling may be answered by now, and new entries may be in view without a change of sizes.
    if (this.owes || this.isHeldBack || this.unseen.count > 0) requestAnimationFrame(() => this.settle());
    this.owes = false;
  }

  /** Counts new entries at the end. */
  added(ids: ReadonlySet<EntryId>): void {
    if (ids.size === 0 || (this.follows && !this.hold.isHolding)) return;
    this.unseen.add(ids);
    this.reportState();
  }

  toEnd(): void {
    this.goTo(undefined);
    this.follows = true;
    this.unseen.clear();
    this.hold.release();
    this.feed.scrollTop = this.feed.scrollHeight;
    this.settle();
  }

  /**
   * Brings the message just sent to the top, where its answer follows. `find` returns the message's element while it is on the page, and
   * `before` is where the reader was, if not at the end.
   */
  toMessage(find: () => HTMLElement | undefined, before: ScrollPlace | undefined): void {
    this.room.open(find);
    this.toEndFrom(before);
  }

  /** Goes to the end, with a way back to where the reader was if that wasn't the end. */
  toEndFrom(before: ScrollPlace | undefined): void {
    if (before) this.wayBack.offer(before);
    else this.wayBack.withdraw();
    this.showButtons();
    this.toEnd();
  }

  /** Takes away the room below the message that was brought to the top, and the way back. */
  forgetMessage(): void {
    this.room.close();
    this.wayBack.withdraw();
    this.showButtons();
  }

  /** The place that the reader can return to. It is withdrawn when they have reached it themselves. */
  get placeBefore(): ScrollPlace | undefined {
    return this.wayBack.place;
  }

  reachedPlaceBefore(): void {
    this.wayBack.withdraw();
    this.showButtons();
  }

  /** Stops following. The reader stays in place. */
  stay(): void {
    this.leave();
    this.lookedAt();
    this.reportState();
  }

  /** Must be called after rows have changed, and the scroll position so that what is in view stays at its place (`hasScrolled`). */
  moved(hasScrolled: boolean): void {
    if (hasScrolled) this.isOwnScroll = true;
    this.lookedAt();
  }

  /** Returns whether the user has a selection or the focus in the transcript. */
  isUserBusy(): boolean {
    const selection = document.getSelection();
    if (selection?.isCollapsed === false && this.feed.contains(selection.anchorNode)) return true;
    const { activeElement } = document;
    return (
      activeElement !== null &&
      activeElement !== this.feed &&
      this.feed.contains(activeElement) &&
      activeElement.matches(':focus-visible')
    );
  }

  /**
   * Returns whether scrolling to the end can be skipped. While more text is waiting than fits into a frame, text in between need not be
   * laid out. The queue ends with a final `settle`.
   */
  private mayWait(): boolean {
    const now = performance.now();
    if (this.follows && this.queue.isBusy && now - this.settledAt < catchUpMs) {
      this.owes = true;
      return true;
    }
    this.settledAt = now;
    return false;
  }

  private isAtEnd(): boolean {
    return this.feed.scrollHeight - this.feed.scrollTop - this.feed.clientHeight <= nearEnd;
  }

  private scrolled(): void {
    const { scrollTop } = this.feed;
    // Content growing below doesn't move the reader. Only moving up does.
    if (this.isAtEnd()) {
      this.follows = true;
      this.isHeldBack = false;
      this.unseen.clear();
    } else if (this.hasMovedUp()) {
      this.leave();
    } else if (this.follows && scrollTop < this.lastTop - 1) {
      this.goOn();
      return;
    }
    if (this.hold.isHolding && Math.abs(scrollTop - this.lastTop) > 1) this.hold.follow();
    this.unseen.look();
    this.lookedAt();
    this.reportState();
  }

  private goOn(): void {
    const before = this.lastTop;
    this.room.update();
    const isHeld = this.follows && this.hold.keep(!this.queue.isBusy);
    if (this.isHeldBack && !isHeld && this.isUserBusy()) this.leave();
    if (this.follows && !isHeld) this.feed.scrollTop = this.feed.scrollHeight;
    this.isHeldBack = isHeld && !this.isAtEnd();
    if (isHeld && !this.isHeldBack) this.unseen.clear();
    else this.unseen.look();
    this.lookedAt();
    this.isOwnScroll = this.follows && this.lastTop !== before;
    this.reportState();
  }

  private leave(): void {
    this.follows = false;
    this.isHeldBack = false;
    this.hold.release();
  }

  /**
   * Returns whether the reader moved up. Content folding above the end or a growing window also moves the place up, and more may have been
   * added below by then. In those cases, only wheel, keyboard, or scroll bar input counts as the reader's.
   */
  private hasMovedUp(): boolean {
    if (this.feed.scrollTop >= this.lastTop - 1) return false;
    return this.hand.isScrolling || this.sizes() === this.lastSizes;
  }

  /** Must run right after a layout: if the scroll range has shrunk, the place has moved without the reader. */
  private takeClamp(): void {
    const { scrollHeight, clientHeight, scrollTop } = this.feed;
    if (scrollHeight - clientHeight < this.lastTop) this.lastTop = scrollTop;
  }

  private lookedAt(): void {
    this.lastTop = this.feed.scrollTop;
    this.lastSizes = this.sizes();
  }

  private sizes(): string {
    return `${this.feed.scrollHeight} ${this.feed.clientHeight}`;
  }

  private reportState(): void {
    const state = this.state;
    this.feed.classList.toggle('reading', !this.follows);
    if (state.atEnd === this.reportedState.atEnd && state.unseen === this.reportedState.unseen) return;
    this.reportedState = state;
    this.jump.hidden = state.atEnd;
    this.showButtons();
    this.label.textContent = state.unseen > 0 ? l10n.t('{0} new', state.unseen) : l10n.t('Jump to latest');
  }

  private showButtons(): void {
    this.buttons.hidden = this.jump.hidden && this.wayBack.place === undefined;
  }

  private makeJump(): void {
    this.buttons.className = 'pl-jump';
    this.buttons.hidden = true;
    this.jump.type = 'button';
    this.jump.hidden = true;
    const glyph = document.createElement('i');
    glyph.className = 'codicon codicon-arrow-down s12';
    glyph.setAttribute('aria-hidden', 'true');
    this.jump.append(glyph, this.label);
    this.jump.addEventListener('click', () => {
      this.toEnd();
      this.feed.focus({ preventScroll: true });
    });
    this.buttons.append(this.jump);
  }
}
