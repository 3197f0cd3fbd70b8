import * as l10n from '@vscode/l10n';
import { Disposable, toDisposable } from '../../src/shared/disposable';
import type { QuestionHold } from './questionHold';
import type { RenderQueue } from '../base/renderQueue';
import { UserScrollTracker } from './userScrollTracker';

/** Where the reader is, and how many entries came below since they left the end. */
export interface ScrollState {
  readonly atEnd: boolean;
  readonly unseen: number;
}

/** This near to the end counts as being there, in px. */
const nearEnd = 8;
/** Milliseconds between two goings to the end while the page catches up. */
const catchUpMs = 120;

/**
 * Keeps the end of the transcript in sight until the user turns elsewhere: scrolls, selects, or walks in with the keyboard. Then
 * it never scrolls by itself, and the jump button says how much is new.
 */
export class Scroller extends Disposable {
  private readonly feed: HTMLElement;
  private readonly queue: RenderQueue;
  private readonly hold: QuestionHold;
  private readonly jump = document.createElement('div');
  private readonly label = document.createElement('span');
  private follows = true;
  /** The end would be gone to, but for a question that is held. */
  private isHeldBack = false;
  private unseenEntries = 0;
  private lastTop = 0;
  /** Sizes of content and window when the place was last looked at. */
  private lastSizes = '';
  readonly hand: UserScrollTracker;
  /** The next scroll event is of our own making: reading the place again would only force a layout. */
  private isOwnScroll = false;
  private settledAt = 0;
  private owes = false;
  private later: ReturnType<typeof setTimeout> | undefined;
  private told: ScrollState = { atEnd: true, unseen: 0 };

  /** `content` is the one child of `feed` that grows; `onScroll` runs after every change of place. */
  constructor(feed: HTMLElement, content: HTMLElement, queue: RenderQueue, hold: QuestionHold, onScroll: () => void) {
    super();
    this.feed = feed;
    this.queue = queue;
    this.hold = hold;
    this.hand = this.register(new UserScrollTracker(feed));
    this.makeJump();
    const look = () => {
      if (this.isDisposed) return;
      this.scrolled();
      onScroll();
    };
    const onScrolled = () => {
      const isOwn = this.isOwnScroll;
      this.isOwnScroll = false;
      // Whether the user has scrolled as well is looked at when the content next grows, or when it has stopped growing.
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
      onScroll();
    });
    sizes.observe(content);
    sizes.observe(feed);
    this.register(
      toDisposable(() => {
        feed.removeEventListener('scroll', onScrolled);
        feed.removeEventListener('wheel', onWheel);
        sizes.disconnect();
        this.jump.remove();
      }),
    );
  }

  get state(): ScrollState {
    return { atEnd: this.isFollowing, unseen: this.unseenEntries };
  }

  get isFollowing(): boolean {
    return this.follows && !this.isHeldBack;
  }

  /** Reads where the reader is now: a scroll event of theirs may still be on its way. */
  look(): void {
    if (!this.isDisposed) this.scrolled();
  }

  /** The jump button's place is beside the feed. */
  attach(): void {
    if (!this.jump.isConnected) this.feed.after(this.jump);
  }

  /** To be called after something was drawn: stays at the end, if that is where the reader is. */
  settle(): void {
    // A question that is held keeps still what the user is at as well.
    const hasLeft = this.follows && (this.hasMovedUp() || (!this.hold.isHolding && this.isUserBusy()));
    if (hasLeft && !this.isAtEnd()) this.leave();
    this.goOn();
  }

  /** All that waited is drawn: the next change of size goes to the end at once; if there is none to come, this does. */
  drained(): void {
    this.settledAt = 0;
    // The question that held the end back may be answered.
    if (this.owes || this.isHeldBack) requestAnimationFrame(() => this.settle());
    this.owes = false;
  }

  /** New entries have come at the end. */
  added(count: number): void {
    if (count === 0 || (this.follows && !this.hold.isHolding)) return;
    this.unseenEntries += count;
    this.tell();
  }

  toEnd(): void {
    this.follows = true;
    this.unseenEntries = 0;
    this.hold.release();
    this.feed.scrollTop = this.feed.scrollHeight;
    this.settle();
  }

  /** Stops following; the reader stays where they are now. */
  stay(): void {
    this.leave();
    this.lookedAt();
    this.tell();
  }

  /** A selection or a keyboard focus within means that the user is at work there. */
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
   * While more text waits than fits into a frame, the end is gone to only now and then: what is passed by in between need not be
   * laid out. The queue ends with a last settling.
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
    // Content that grows below is no move of the reader; only going up is.
    if (this.isAtEnd()) {
      this.follows = true;
      this.isHeldBack = false;
      this.unseenEntries = 0;
    } else if (this.hasMovedUp()) {
      this.leave();
    } else if (this.follows && scrollTop < this.lastTop - 1) {
      this.goOn();
      return;
    }
    if (this.hold.isHolding && Math.abs(scrollTop - this.lastTop) > 1) this.hold.follow();
    this.lookedAt();
    this.tell();
  }

  private goOn(): void {
    const before = this.lastTop;
    const isHeld = this.follows && this.hold.keep(!this.queue.isBusy);
    if (this.isHeldBack && !isHeld && this.isUserBusy()) this.leave();
    if (this.follows && !isHeld) this.feed.scrollTop = this.feed.scrollHeight;
    this.isHeldBack = isHeld && !this.isAtEnd();
    if (isHeld && !this.isHeldBack) this.unseenEntries = 0;
    this.lookedAt();
    this.isOwnScroll = this.follows && this.lastTop !== before;
    this.tell();
  }

  private leave(): void {
    this.follows = false;
    this.isHeldBack = false;
    this.hold.release();
  }

  /**
   * Whether the reader went up. What folds above the end, or a window that grows, takes the place up as well, and more may have come
   * below by the time that is seen: then only a hand at wheel, key or bar makes it the reader's doing.
   */
  private hasMovedUp(): boolean {
    if (this.feed.scrollTop >= this.lastTop - 1) return false;
    return this.hand.isAtWork || this.sizes() === this.lastSizes;
  }

  /** Right after a layout: where there is less to scroll than before, the place has moved by itself. */
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

  private tell(): void {
    const state = this.state;
    this.feed.classList.toggle('reading', !this.follows);
    if (state.atEnd === this.told.atEnd && state.unseen === this.told.unseen) return;
    this.told = state;
    this.jump.hidden = state.atEnd;
    this.label.textContent = state.unseen > 0 ? l10n.t('{0} new', state.unseen) : l10n.t('Jump to latest');
  }

  private makeJump(): void {
    this.jump.className = 'pl-jump';
    this.jump.hidden = true;
    const button = document.createElement('button');
    button.type = 'button';
    const glyph = document.createElement('i');
    glyph.className = 'codicon codicon-arrow-down s12';
    glyph.setAttribute('aria-hidden', 'true');
    button.append(glyph, this.label);
    button.addEventListener('click', () => {
      this.toEnd();
      this.feed.focus({ preventScroll: true });
    });
    this.jump.append(button);
  }
}
