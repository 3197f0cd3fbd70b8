import { Disposable } from '../../shared/disposable';

/** Runs something once a short while after it was first asked for, however often: a thousand files may change at once. */
export class Coalesced extends Disposable {
  private readonly act: () => void;
  private readonly waitMs: number;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(act: () => void, waitMs = 20) {
    super();
    this.act = act;
    this.waitMs = waitMs;
    this.register({ dispose: () => clearTimeout(this.timer) });
  }

  request(): void {
    if (this.isDisposed) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.act();
    }, this.waitMs);
  }
}
