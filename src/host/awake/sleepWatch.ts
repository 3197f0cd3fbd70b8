import { Disposable } from '../../shared/values/disposable';

/** Time between two looks at the clock, in milliseconds. */
export const tickMs = 1000;
/** A tick that is later than this, in milliseconds, means that the computer was asleep. */
export const sleepMs = 10_000;

/** The clock and its timer. */
export interface SleepClock {
  /** Milliseconds since the epoch, which go on during sleep. */
  readonly now: () => number;
  readonly every: (ms: number, action: () => void) => { dispose(): void };
}

/** Notices that the computer was asleep, by a timer that stood still, while it is on. */
export class SleepWatch extends Disposable {
  private readonly clock: SleepClock;
  private readonly slept: (ms: number) => void;
  private running: { dispose(): void } | undefined;
  private last = 0;

  /** `slept` receives how long the computer was asleep, in milliseconds. */
  constructor(clock: SleepClock, slept: (ms: number) => void) {
    super();
    this.clock = clock;
    this.slept = slept;
    this.register({ dispose: () => this.setOn(false) });
  }

  setOn(isOn: boolean): void {
    if (isOn === (this.running !== undefined) || (isOn && this.isDisposed)) return;
    this.running?.dispose();
    this.last = this.clock.now();
    this.running = isOn ? this.clock.every(tickMs, () => this.tick()) : undefined;
  }

  private tick(): void {
    const now = this.clock.now();
    const asleep = now - this.last - tickMs;
    this.last = now;
    if (asleep >= sleepMs) this.slept(asleep);
  }
}
