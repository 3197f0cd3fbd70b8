import type { IDisposable } from '../../shared/values/disposable';
import type { Stopping } from '../../shared/transcript/transcript';

/** Calls `action` once after `ms` milliseconds unless the returned disposable is disposed first. */
export type Schedule = (ms: number, action: () => void) => IDisposable;

/** How long an agent may take to end a cancelled turn before the user is asked about its process, in milliseconds. */
export const cancelGrace = 10_000;

/** Waits for a cancelled turn to end. After a timeout, offers the user to end the process. */
export class StopWait implements IDisposable {
  private readonly since: number;
  private readonly schedule: Schedule;
  private readonly onDidChange: () => void;
  private current: Stopping;
  private grace: IDisposable | undefined;

  /** `since` is in milliseconds since the epoch. */
  constructor(since: number, schedule: Schedule, onDidChange: () => void) {
    this.since = since;
    this.schedule = schedule;
    this.onDidChange = onDidChange;
    this.current = { since, isLate: false };
  }

  get state(): Stopping {
    return this.current;
  }

  start(): void {
    this.grace?.dispose();
    this.grace = this.schedule(cancelGrace, () => this.show(true));
  }

  /** Gives the turn more time, as the user asked. */
  keepWaiting(): void {
    if (!this.current.isLate) return;
    this.show(false);
    this.start();
  }

  dispose(): void {
    this.grace?.dispose();
  }

  private show(isLate: boolean): void {
    this.current = { since: this.since, isLate };
    this.onDidChange();
  }
}
