/** Work that can be done in parts. `step` does some of it, until about `deadline`, and returns whether it is done. */
export interface RenderTask {
  step(deadline: number): boolean;
}

/** Milliseconds of work at a stretch. Far below the 50 that count as a long task, with room for layout beside it. */
const slice = 8;
/** With more than this many tasks in wait the newest go first: the reader is at the end, and the rest is out of sight. */
const backlog = 24;

/**
 * Does rendering work in slices: first at the next frame, so that what little there is appears in that very frame, then,
 * while work is left, in tasks of their own, between which the page takes input and paints. Urgent work goes before idle work.
 */
export class RenderQueue {
  private readonly urgent = new Set<RenderTask>();
  private readonly idle = new Set<RenderTask>();
  private readonly onDrained: () => void;
  private readonly channel = new MessageChannel();
  private readonly waiting: (() => void)[] = [];
  private scheduled: 'no' | 'frame' | 'task' = 'no';

  /** `onDrained` runs at the end of a slice that leaves no urgent work. */
  constructor(onDrained: () => void) {
    this.onDrained = onDrained;
    this.channel.port1.onmessage = () => {
      if (this.scheduled === 'task') this.run();
    };
  }

  /** Whether urgent work waits for its turn. */
  get isBusy(): boolean {
    return this.urgent.size > 0;
  }

  add(task: RenderTask): void {
    this.idle.delete(task);
    this.urgent.add(task);
    this.schedule();
  }

  /** Work that nobody waits for: colours, mostly. */
  addIdle(task: RenderTask): void {
    if (!this.urgent.has(task)) this.idle.add(task);
    this.schedule();
  }

  delete(task: RenderTask): void {
    this.urgent.delete(task);
    this.idle.delete(task);
  }

  clear(): void {
    this.urgent.clear();
    this.idle.clear();
  }

  /** Resolves once all urgent work is done and has been painted; with `all`, idle work as well. */
  flush(all = false): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.urgent.size === 0 && (!all || this.idle.size === 0)) afterPaint(resolve);
        else this.waiting.push(check);
      };
      check();
    });
  }

  private schedule(): void {
    if (this.scheduled !== 'no') return;
    this.scheduled = 'frame';
    requestAnimationFrame(() => this.run());
  }

  private run(): void {
    this.scheduled = 'no';
    const deadline = performance.now() + slice;
    const hadWork = this.isBusy;
    this.work(this.urgent, deadline);
    if (hadWork && this.urgent.size === 0) this.onDrained();
    if (this.urgent.size === 0) this.work(this.idle, deadline);
    if (this.urgent.size > 0 || this.idle.size > 0) {
      this.scheduled = 'task';
      this.channel.port2.postMessage(undefined);
    }
    for (const check of this.waiting.splice(0)) check();
  }

  private work(tasks: Set<RenderTask>, deadline: number): void {
    for (const task of tasks.size > backlog ? [...tasks].reverse() : tasks) {
      if (performance.now() >= deadline) return;
      try {
        if (task.step(deadline)) tasks.delete(task);
      } catch (error) {
        // One entry that cannot be drawn must not keep the others from it; the page reports the error as unhandled.
        tasks.delete(task);
        reportError(error);
      }
    }
  }
}

function afterPaint(resolve: () => void): void {
  requestAnimationFrame(() => setTimeout(resolve, 0));
}
