import { Disposable } from '../../shared/values/disposable';

/** A repeated task uses at most this fraction (one in `share`) of the time, unless it takes longer than `maxWaitMs` allows. */
const share = 5;

/** The longest wait after a slow run, in milliseconds. It may have been slow only because the computer was busy. */
const maxWaitMs = 5000;

/**
 * Runs a task once, shortly after the first of any number of requests, because a thousand files may change together.
 * Runs slow tasks less often.
 */
export class Coalesced extends Disposable {
  private readonly act: () => void;
  private readonly waitMs: number;
  private tookMs = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(act: () => void, waitMs = 20) {
    super();
    this.act = act;
    this.waitMs = waitMs;
    this.register({ dispose: () => clearTimeout(this.timer) });
  }

  request(): void {
    if (this.isDisposed) return;
    this.timer ??= setTimeout(() => this.run(), Math.max(this.waitMs, Math.min(this.tookMs * share, maxWaitMs)));
  }

  /** Runs the task at once if it was requested. */
  flush(): void {
    if (this.timer !== undefined) this.run();
  }

  private run(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const start = performance.now();
    this.act();
    this.tookMs = performance.now() - start;
  }
}
