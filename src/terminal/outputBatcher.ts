import type { IDisposable } from '../shared/disposable';

/** Where a batcher gets its pauses from; the timers of Node in production. */
export interface BatchTimer {
  start(action: () => void, milliseconds: number): IDisposable;
}

export const nodeTimer: BatchTimer = {
  start(action, milliseconds) {
    const timer = setTimeout(action, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};

export interface BatcherOptions {
  /** Shortest time between two batches, in milliseconds. */
  readonly interval: number;
  /** From this many UTF-16 units in one batch the source is told to wait until the batch is out. */
  readonly highWater: number;
  readonly timer: BatchTimer;
  onBatch(text: string): void;
  onPause(): void;
  onResume(): void;
}

/** Collects output: the first piece goes out at once, what follows within `interval` goes out together. */
export class OutputBatcher implements IDisposable {
  private readonly options: BatcherOptions;
  private parts: string[] = [];
  private waiting = 0;
  private running: IDisposable | undefined;
  private paused = false;

  constructor(options: BatcherOptions) {
    this.options = options;
  }

  push(text: string): void {
    this.parts.push(text);
    this.waiting += text.length;
    if (this.running === undefined) {
      this.flush();
      this.wait();
    } else if (!this.paused && this.waiting >= this.options.highWater) {
      this.paused = true;
      this.options.onPause();
    }
  }

  /** Sends what was collected now. */
  flush(): void {
    if (this.waiting === 0) return;
    const text = this.parts.join('');
    this.parts = [];
    this.waiting = 0;
    this.options.onBatch(text);
  }

  dispose(): void {
    this.running?.dispose();
    this.running = undefined;
    this.parts = [];
    this.waiting = 0;
  }

  private wait(): void {
    this.running = this.options.timer.start(() => {
      this.running = undefined;
      if (this.waiting === 0) return;
      this.flush();
      if (this.paused) {
        this.paused = false;
        this.options.onResume();
      }
      this.wait();
    }, this.options.interval);
  }
}
