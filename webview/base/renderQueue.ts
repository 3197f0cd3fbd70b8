/** Work that can be done in parts. `step` does some of it, until about `deadline`, and returns whether it is done. */
export interface RenderTask {
  step(deadline: number): boolean;
}

/** Milliseconds of work at a stretch. Far below the 50 that count as a long task, with room for layout beside it. */
const slice = 8;
/** Milliseconds after which idle work gets a turn even if the page is never idle. */
const patience = 400;
/** With more than this many tasks in wait the newest go first: the reader is at the end, and the rest is out of sight. */
const backlog = 24;

/**
 * Does rendering work in slices: the first at once, so that the next frame has nothing left to do but show it, then at that
 * frame, and, while work is left, in tasks of their own, between which the page takes input and paints. Urgent work goes
 * before idle work.
 */
export class RenderQueue {
  private readonly urgent = new Set<RenderTask>();
  private readonly idle = new Set<RenderTask>();
  private readonly onDrained: () => void;
  private readonly channel = new MessageChannel();
  private readonly waiting: (() => void)[] = [];
  private scheduled: 'no' | 'soon' | 'frame' | 'task' = 'no';
  /** Something was drawn since the last frame; what comes now can wait for the next. */
  private hasDrawn = false;
  private awaitsIdleness = false;

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
    if (this.urgent.has(task)) return;
    this.idle.add(task);
    this.scheduleIdle();
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
    if (this.hasDrawn) {
      this.scheduled = 'frame';
      return;
    }
    this.scheduled = 'soon';
    // All that one message brings is noted first.
    queueMicrotask(() => {
      this.hasDrawn = true;
      requestAnimationFrame(() => {
        this.hasDrawn = false;
        if (this.scheduled === 'frame') this.run();
      });
      if (this.scheduled === 'soon') this.run();
    });
  }

  private scheduleIdle(): void {
    if (this.awaitsIdleness) return;
    this.awaitsIdleness = true;
    requestIdleCallback((idle) => this.runIdle(idle), { timeout: patience });
  }

  private run(): void {
    this.scheduled = 'no';
    const hadWork = this.isBusy;
    this.work(this.urgent, performance.now() + slice);
    if (hadWork && this.urgent.size === 0) this.onDrained();
    if (this.urgent.size > 0) {
      this.scheduled = 'task';
      this.channel.port2.postMessage(undefined);
    }
    this.check();
  }

  private runIdle(idle: IdleDeadline): void {
    this.awaitsIdleness = false;
    this.work(this.idle, performance.now() + Math.max(1, Math.min(slice, idle.timeRemaining())));
    if (this.idle.size > 0) this.scheduleIdle();
    this.check();
  }

  private check(): void {
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
