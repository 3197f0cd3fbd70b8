import { coalesce, type TranscriptOp } from '../../shared/transcript/ops';
import type { IDisposable } from '../../shared/values/disposable';

/** Maximum number of posts per interval. More than one, so that an op that arrives slightly early need not wait. */
const window = 2;
/**
 * Maximum number of pending posts. A busy page confirms late, and what follows would wait although the page could draw it in the
 * same frame.
 */
const maxPending = 4;
/**
 * A page gets at most `window` posts in this time while ops keep arriving, because it can show only one per frame. In
 * milliseconds.
 */
const postInterval = 24;
/** Interval for a hidden page, in milliseconds. It only needs to stay roughly up to date. */
const hiddenInterval = 1000;

/** The pump's clock. Tests replace it. */
export interface PumpClock {
  now(): number;
  /** Runs `action` once after `ms` milliseconds, unless disposed first. */
  schedule(action: () => void, ms: number): IDisposable;
}

/** Posts a batch. Resolves to false if the page didn't accept it. */
export type PostOps = (ops: readonly TranscriptOp[], from: number, to: number) => Promise<boolean>;

/**
 * Sends a session's ops to a page. Posts occasional ops immediately. While enough posts are pending or recent, collects
 * ops and posts them together, so that a flood costs about one post per frame.
 */
export class OpsPump implements IDisposable {
  private readonly post: PostOps;
  private readonly clock: PumpClock;
  private waiting: TranscriptOp[] = [];
  private from: number;
  private to: number;
  /** The times of the latest posts, oldest first. At most `window` of them. */
  private posted: number[] = [];
  private underWay = 0;
  private timer: IDisposable | undefined;
  private visible = true;
  private disposed = false;

  /** Starts after `rev`, the revision of the page's snapshot. */
  constructor(rev: number, post: PostOps, clock: PumpClock) {
    this.from = rev;
    this.to = rev;
    this.post = post;
    this.clock = clock;
  }

  /** Adds ops that lead to revision `rev`. */
  push(ops: readonly TranscriptOp[], rev: number): void {
    if (this.disposed) return;
    for (const op of ops) this.waiting.push(op);
    this.to = rev;
    this.pump();
  }

  /** Sends ops once a second while the page is hidden. Sends waiting ops immediately when it's shown again. */
  setVisible(visible: boolean): void {
    if (this.visible === visible) return;
    this.visible = visible;
    this.timer?.dispose();
    this.timer = undefined;
    this.pump();
  }

  dispose(): void {
    this.disposed = true;
    this.timer?.dispose();
    this.waiting = [];
  }

  private pump(): void {
    if (this.disposed || this.underWay >= maxPending || this.timer !== undefined || this.waiting.length === 0) return;
    const due = this.nextPost() - this.clock.now();
    if (due > 0) {
      this.timer = this.clock.schedule(() => {
        this.timer = undefined;
        void this.send();
      }, due);
      return;
    }
    void this.send();
  }

  private nextPost(): number {
    const last = this.posted.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (!this.visible) return last + hiddenInterval;
    return this.posted.length < window ? last : (this.posted[0] ?? last) + postInterval;
  }

  private async send(): Promise<void> {
    if (this.disposed || this.waiting.length === 0) return;
    const ops = coalesce(this.waiting);
    const { from, to } = this;
    this.waiting = [];
    this.from = to;
    this.posted = [...this.posted, this.clock.now()].slice(-window);
    this.underWay += 1;
    try {
      // A page that missed a post notices the gap in revisions, or requests everything after a reload.
      await this.post(ops, from, to);
    } finally {
      this.underWay -= 1;
    }
    this.pump();
  }
}
