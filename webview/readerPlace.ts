import type { EntryId } from '../src/shared/ids';
import type { EntryViews } from './entryViews';
import type { ScrollPlace } from './memory';
import type { RenderQueue } from './renderQueue';
import type { Scroller } from './scroller';

/** A place is gone to again for so many frames at most: entries take their real heights only when they come near. */
const framesToSettle = 20;
/** So many frames in a row without a move are enough. */
const framesOfRest = 3;

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
    void this.queue.flush().then(() => this.settle(place, since, framesToSettle, framesOfRest));
  }

  /** The reader has gone elsewhere. */
  forget(): void {
    this.wanted = undefined;
  }

  private settle(place: ScrollPlace, since: number, frames: number, rest: number): void {
    if (this.wanted !== place) return;
    if (!this.views.has(place.anchor as EntryId) || this.scroller.hand.hasWorkedSince(since)) {
      this.wanted = undefined;
      this.scroller.look();
      return;
    }
    const hasMoved = this.views.scrollToPlace(this.feed, place);
    this.scroller.stay();
    const left = hasMoved ? framesOfRest : rest - 1;
    if (frames === 0 || left === 0) this.wanted = undefined;
    else requestAnimationFrame(() => this.settle(place, since, frames - 1, left));
  }
}
