/** Work that can be done in parts. `step` works until about `deadline` and returns whether the work is done. */
export interface RenderTask {
  step(deadline: number): boolean;
}

/** How long to work without a break, in milliseconds. Well below the 50 ms of a long task, which leaves time for layout. */
const slice = 8;
/** After this time, idle work runs even if the page is never idle. In milliseconds. */
const patience = 400;
/** With more waiting tasks than this, the newest run first, because the user is at the end and the rest is out of sight. */
const backlog = 24;

/**
 * Runs rendering work in slices: the first immediately, so that the next frame only has to display it, then one at that frame, and then in
 * separate tasks, between which the page handles input and paints. Urgent work runs before idle work.
 */
export class RenderQueue {
  private readonly urgent = new Set<RenderTask>();
  private readonly idle = new Set<RenderTask>();
  private readonly onDrained: () => void;
  private readonly channel = new MessageChannel();
  private readonly waiting: (() => void)[] = [];
  private scheduled: 'no' | 'soon' | 'frame' | 'task' = 'no';
  /** Whether something was drawn since the last frame. If so, new work can wait for the next frame. */
  private hasDrawn = false;
  private awaitsIdleness = false;

  /** `onDrained` runs at the end of a slice after which no urgent work remains. */
  constructor(onDrained: () => void) {
    this.onDrained = onDrained;
    this.channel.port1.onmessage = () => {
      if (this.scheduled === 'task') this.run();
    };
  }

  /** Whether urgent work is waiting. */
  get isBusy(): boolean {
    return this.urgent.size > 0;
  }

  add(task: RenderTask): void {
    this.idle.delete(task);
    this.urgent.add(task);
    this.schedule();
  }

  /** Adds low-priority work, mostly syntax colors. */
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

  /** Works for one slice immediately, because what was queued must be measured. Returns whether no urgent work is left. */
  now(): boolean {
    if (this.isBusy) this.run();
    return !this.isBusy;
  }

  /** Resolves once all urgent work is done and painted; with `all`, idle work as well. */
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
    // Waits until everything in the current message is queued.
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
        // An entry that can't be drawn must not prevent others from being drawn. The page reports the error as unhandled.
        tasks.delete(task);
        reportError(error);
      }
    }
  }
}

function afterPaint(resolve: () => void): void {
  requestAnimationFrame(() => setTimeout(resolve, 0));
}
