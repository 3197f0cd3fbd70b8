import type { EntryId } from '../src/shared/ids';
import type { EntryViews } from './entryViews';
import type { ScrollPlace } from './memory';
import type { RenderQueue } from './renderQueue';
import type { Scroller } from './scroller';

/** A place is gone to again for so long at most (ms): entries take their real heights only when they come near. */
const settleMs = 3000;
/** So long (ms) without a move is enough: on a busy machine frames alone say little. */
const restMs = 400;

/** Where the reader is in the transcript, and the way back there. */
export class ReaderPlace {
  private readonly feed: HTMLElement;
  private readonly views: EntryViews;
  private readonly scroller: Scroller;
  private readonly queue: RenderQueue;
  /** Where the reader is being taken. */
  private wanted: ScrollPlace | undefined;

  constructor(feed: HTMLElement, views: EntryViews, scroller: Scroller, queue: RenderQueue) {
    this.feed = feed;
    this.views = views;
    this.scroller = scroller;
    this.queue = queue;
  }

  /** To be kept over a reload. Who is on the way to a place counts as being there. */
  get now(): ScrollPlace {
    if (this.wanted) return this.wanted;
    this.scroller.look();
    if (this.scroller.isFollowing) return { anchor: '', offset: 0, atEnd: true };
    return this.views.placeAt(this.feed.scrollTop);
  }

  /** Takes the reader to a place that `now` gave, as soon as there is something to go to. */
  restore(place: ScrollPlace): void {
    if (place.atEnd || place.anchor === '') return;
    this.wanted = place;
    this.scroller.stay();
    const since = performance.now();
    void this.queue.flush().then(() => this.settle(place, since, performance.now()));
  }

  /** The reader has gone elsewhere. */
  forget(): void {
    this.wanted = undefined;
  }

  /** `since` and `rested` are times of `performance.now()`: of the wish, and of the last move. */
  private settle(place: ScrollPlace, since: number, rested: number): void {
    if (this.wanted !== place) return;
    if (!this.views.has(place.anchor as EntryId) || this.scroller.hand.hasWorkedSince(since)) {
      this.wanted = undefined;
      this.scroller.look();
      return;
    }
    const hasMoved = this.views.scrollToPlace(this.feed, place);
    this.scroller.stay();
    const now = performance.now();
    const last = hasMoved ? now : rested;
    if (now - last >= restMs || now - since >= settleMs) this.wanted = undefined;
    else requestAnimationFrame(() => this.settle(place, since, last));
  }
}
