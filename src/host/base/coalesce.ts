import { Disposable } from '../../shared/disposable';

/** What is asked for again and again gets at most one part in so many of the time. */
const share = 5;

/**
 * Runs something once a short while after it was first asked for, however often: a thousand files may change at once. What takes long
 * is run less often.
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
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        const start = performance.now();
        this.act();
        this.tookMs = performance.now() - start;
      },
      Math.max(this.waitMs, this.tookMs * share),
    );
  }
}
