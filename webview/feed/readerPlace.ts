import type { EntryId } from '../../src/shared/ids';
import type { EntryViews } from './entryViews';
import type { ScrollPlace } from '../state/memory';
import type { RenderQueue } from '../base/renderQueue';
import type { Scroller } from './scroller';

/** Both a time (ms) and a number of frames: on a busy machine either alone says little. */
interface Span {
  readonly ms: number;
  readonly frames: number;
}
/** A place is gone to again for so long at most: entries take their real heights only when they come near. */
const settleSpan: Span = { ms: 3000, frames: 60 };
/** So long without a move is enough. */
const restSpan: Span = { ms: 400, frames: 8 };

/** Frames that are counted from a moment on. */
class Stretch {
  private readonly start = performance.now();
  private frames = 0;

  count(): void {
    this.frames++;
  }

  isOver({ ms, frames }: Span): boolean {
    return this.frames >= frames && performance.now() - this.start >= ms;
  }
}

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
    void this.queue.flush().then(() => this.settle(place, since, new Stretch(), new Stretch()));
  }

  /** The reader has gone elsewhere. */
  forget(): void {
    this.wanted = undefined;
  }

  /** `since` is a time of `performance.now()`, that of the wish; `way` began with the first look, `rest` with the last move. */
  private settle(place: ScrollPlace, since: number, way: Stretch, rest: Stretch): void {
    if (this.wanted !== place) return;
    if (!this.views.has(place.anchor as EntryId) || this.scroller.hand.hasWorkedSince(since)) {
      this.wanted = undefined;
      this.scroller.look();
      return;
    }
    const hasMoved = this.views.scrollToPlace(this.feed, place);
    this.scroller.stay();
    const last = hasMoved || this.queue.isBusy ? new Stretch() : rest;
    way.count();
    last.count();
    if (last.isOver(restSpan) || way.isOver(settleSpan)) this.wanted = undefined;
    else requestAnimationFrame(() => this.settle(place, since, way, last));
  }
}
