import { Disposable } from '../../../shared/values/disposable';
import { Emitter } from '../../../shared/values/event';
import type { SessionKey } from '../../../shared/values/ids';

/** The sessions whose last turn began before its files were recorded, and since when its changes are known. */
export class RecordingGaps extends Disposable {
  private readonly known = new Map<SessionKey, number>();
  private readonly changed = this.register(new Emitter<void>());

  readonly onDidChange = this.changed.event;

  /** Returns since when a session's last turn is recorded, in milliseconds since the epoch. Undefined if it is entirely. */
  of(session: SessionKey): number | undefined {
    return this.known.get(session);
  }

  set(session: SessionKey, recordedAt: number | undefined): void {
    if (this.known.get(session) === recordedAt) return;
    if (recordedAt === undefined) this.known.delete(session);
    else this.known.set(session, recordedAt);
    this.changed.fire();
  }
}
