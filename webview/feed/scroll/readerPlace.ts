import type { EntryId } from '../../../src/shared/values/ids';
import type { RowWindow } from '../rows/rowWindow';
import type { ScrollPlace } from '../../state/memory';
import type { RenderQueue } from '../../base/renderQueue';
import type { Scroller } from './scroller';

/** A time in milliseconds and a number of frames. On a busy machine, neither alone is reliable. */
interface Span {
  readonly ms: number;
  readonly frames: number;
}
/** Maximum time to return to a place, because entries get their actual heights only when they come near. */
const settleSpan: Span = { ms: 3000, frames: 60 };
/** After this long without movement, the place counts as reached. */
const restSpan: Span = { ms: 400, frames: 8 };

/** A span of time and frames that started at some moment. */
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

/** The reader's place in the transcript, and how to return to it. */
export class ReaderPlace {
  private readonly feed: HTMLElement;
  private readonly window: RowWindow;
  private readonly scroller: Scroller;
  private readonly queue: RenderQueue;
  /** The place to return to. */
  private target: ScrollPlace | undefined;

  constructor(feed: HTMLElement, window: RowWindow, scroller: Scroller, queue: RenderQueue) {
    this.feed = feed;
    this.window = window;
    this.scroller = scroller;
    this.queue = queue;
  }

  /** The place to store across a reload. While returning to a place, it is that place. */
  get now(): ScrollPlace {
    if (this.target) return this.target;
    this.scroller.look();
    if (this.scroller.isFollowing) return { anchor: '', offset: 0, atEnd: true };
    return this.window.placeAt(this.feed.scrollTop);
  }

  /** Returns to a place from `now`, once all queued entries are drawn. */
  restore(place: ScrollPlace): void {
    if (place.atEnd || place.anchor === '') return;
    this.target = place;
    this.scroller.stay();
    const since = performance.now();
    void this.queue.flush().then(() => this.settle(place, since, new Stretch(), new Stretch()));
  }

  /** Stops returning, because the reader has scrolled elsewhere. */
  forget(): void {
    this.target = undefined;
  }

  /**
   * Continues returning. `since` is the `performance.now()` of the request; `way` began with the first check and `rest` with the last
   * movement.
   */
  private settle(place: ScrollPlace, since: number, way: Stretch, rest: Stretch): void {
    if (this.target !== place) return;
    if (!this.window.has(place.anchor as EntryId) || this.scroller.hand.hasWorkedSince(since)) {
      this.target = undefined;
      this.scroller.look();
      return;
    }
    const hasMoved = this.window.scrollToPlace(this.feed, place);
    this.scroller.stay();
    const last = hasMoved || this.queue.isBusy ? new Stretch() : rest;
    way.count();
    last.count();
    if (last.isOver(restSpan) || way.isOver(settleSpan)) this.target = undefined;
    else requestAnimationFrame(() => this.settle(place, since, way, last));
  }
}
