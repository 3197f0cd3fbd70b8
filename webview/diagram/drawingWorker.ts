import type { DrawOrder, Drawing } from './worker/drawing';

/** A worker that draws one diagram at a time. */
export interface RunningWorker {
  /** Rejects if the worker can’t go on. */
  ask(order: DrawOrder): Promise<Drawing>;
  end(): void;
}

/** How long one drawing may take. */
const maxMs = 10_000;

/** Draws diagrams one after the other. A worker whose drawing takes too long, or that fails, is ended. */
export class DrawingWorker {
  private queue: Promise<unknown> = Promise.resolve();
  private running: RunningWorker | undefined;

  private readonly start: () => RunningWorker;

  constructor(start: () => RunningWorker) {
    this.start = start;
  }

  draw(order: DrawOrder): Promise<Drawing> {
    const turn = this.queue.then(() => this.drawNow(order));
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  private async drawNow(order: DrawOrder): Promise<Drawing> {
    const worker = (this.running ??= this.start());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<Drawing>((resolve) => (timer = setTimeout(() => resolve({ problem: 'tooLong' }), maxMs)));
    try {
      const drawing = await Promise.race([worker.ask(order), late]);
      if ('problem' in drawing && drawing.problem === 'tooLong') this.end();
      return drawing;
    } catch (error) {
      this.end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private end(): void {
    this.running?.end();
    this.running = undefined;
  }
}
