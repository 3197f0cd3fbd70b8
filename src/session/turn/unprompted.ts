import type { SessionUpdate } from '../../acp/shape/sessionUpdate';
import type { IDisposable } from '../../shared/values/disposable';
import type { EntryId } from '../../shared/values/ids';
import type { TranscriptStore } from '../transcript/transcriptStore';
import type { Schedule } from './stopWait';

/** An agent that reports nothing for this long has finished what it did without a message. In milliseconds. */
export const quietMs = 5000;
/**
 * A command that the agent left in the background may change files for this long after its turn, because nothing reports
 * its end. In milliseconds.
 */
export const backgroundMs = 300_000;
/** Updates that arrive this soon after the user stopped the agent were sent before it could react. In milliseconds. */
const stopMs = 2000;

/** Notices when an agent works without a message: it sends updates although no turn is running. */
export class Unprompted implements IDisposable {
  private readonly store: TranscriptStore;
  private readonly schedule: Schedule;
  private timer: IDisposable | undefined;
  private since = 0;
  private heardAt = 0;
  private stoppedAt: number | undefined;
  private readonly background = new Map<EntryId, IDisposable>();

  constructor(store: TranscriptStore, schedule: Schedule) {
    this.store = store;
    this.schedule = schedule;
  }

  /** Handles an update that arrived, and was shown, while no turn was running. */
  heard(update: SessionUpdate, turn: number): void {
    if (!this.store.work.isNews(this.store.transcript, update)) return;
    const now = this.store.now();
    if (this.stoppedAt !== undefined && now - this.stoppedAt < stopMs) return;
    this.heardAt = now;
    if (this.timer) return;
    this.since = now;
    const ignoredStop = this.stoppedAt !== undefined;
    this.store.setUnprompted({ kind: 'agent', turn, since: this.since, ...(ignoredStop ? { ignoredStop } : {}) });
    this.wait(quietMs);
  }

  /** Limits the time for which background commands count as running, from now on. */
  limitBackground(): void {
    for (const entry of this.store.work.unreportedBackground(this.store.transcript)) {
      if (this.background.has(entry)) continue;
      this.background.set(
        entry,
        this.schedule(backgroundMs, () => this.store.endBackground(entry)),
      );
    }
  }

  /** The user stopped the agent. If it continues, that is shown. */
  stopped(): void {
    this.end();
    this.stoppedAt = this.store.now();
  }

  /** A turn begins, to which all further updates belong, or the agent has disconnected. */
  reset(): void {
    this.stoppedAt = undefined;
    this.end();
  }

  dispose(): void {
    this.rest();
    for (const timer of this.background.values()) timer.dispose();
    this.background.clear();
  }

  private rest(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }

  private wait(ms: number): void {
    this.timer = this.schedule(ms, () => {
      const left = this.heardAt + quietMs - this.store.now();
      if (left > 0) this.wait(left);
      else this.end();
    });
  }

  private end(): void {
    if (!this.timer) return;
    this.rest();
    this.store.setUnprompted(undefined);
  }
}
