import { coalesce, type TranscriptOp } from '../../shared/ops';
import type { IDisposable } from '../../shared/disposable';

/** So many posts may be under way at once, and go out in one interval: what comes early by chance need not wait for the next. */
const window = 2;
/** Milliseconds in which a page gets `window` posts at most while ops keep coming: one per frame is all it can show. */
const postInterval = 24;
/** A hidden page is kept warm, no more. */
const hiddenInterval = 1000;

/** Time as the pump needs it; replaced in tests. */
export interface PumpClock {
  now(): number;
  /** Runs `action` once after `ms` milliseconds; disposing prevents it. */
  schedule(action: () => void, ms: number): IDisposable;
}

/** Delivers a batch; resolves to false when the page did not take it. */
export type PostOps = (ops: readonly TranscriptOp[], from: number, to: number) => Promise<boolean>;

/**
 * Carries ops of one session to one page. What comes now and then is posted at once; while enough posts are under way or went
 * out just before, ops are collected, joined and posted together, so that a flood costs about one post per frame.
 */
export class OpsPump implements IDisposable {
  private readonly post: PostOps;
  private readonly clock: PumpClock;
  private waiting: TranscriptOp[] = [];
  private from: number;
  private to: number;
  /** When the last posts went out, oldest first; `window` of them at most. */
  private posted: number[] = [];
  private underWay = 0;
  private timer: IDisposable | undefined;
  private visible = true;
  private disposed = false;

  /** Starts after `rev`, the revision of the snapshot that the page holds. */
  constructor(rev: number, post: PostOps, clock: PumpClock) {
    this.from = rev;
    this.to = rev;
    this.post = post;
    this.clock = clock;
  }

  /** Takes ops that led to revision `rev`. */
  push(ops: readonly TranscriptOp[], rev: number): void {
    if (this.disposed) return;
    for (const op of ops) this.waiting.push(op);
    this.to = rev;
    this.pump();
  }

  /** A hidden page gets its ops once a second; shown again, it gets what is waiting at once. */
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
    if (this.disposed || this.underWay >= window || this.timer !== undefined || this.waiting.length === 0) return;
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
      // A page that took nothing notices the gap in revisions, or asks for everything when it is loaded again.
      await this.post(ops, from, to);
    } finally {
      this.underWay -= 1;
    }
    this.pump();
  }
}
