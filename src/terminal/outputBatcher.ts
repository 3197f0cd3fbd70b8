import type { IDisposable } from '../shared/values/disposable';

/** The source of a batcher's delays. Node's timers in production. */
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
  /** Minimum time between two batches, in milliseconds. */
  readonly interval: number;
  /** Batch size in UTF-16 units from which the source must wait until the batch is sent. */
  readonly highWater: number;
  readonly timer: BatchTimer;
  onBatch(text: string): void;
  onPause(): void;
  onResume(): void;
}

/** Batches output: the first chunk is sent immediately, and all chunks within the next `interval` are sent together. */
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

  /** Sends the collected output now. */
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
