import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import type { SessionKey } from '../../shared/ids';

/** The sessions in which the user allowed everything. Never stored, so a reload turns it off. */
export class AllowEverything extends Disposable {
  private readonly sessions = new Set<SessionKey>();
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  get isOn(): boolean {
    return this.sessions.size > 0;
  }

  isOnIn(session: SessionKey): boolean {
    return this.sessions.has(session);
  }

  turnOn(session: SessionKey): void {
    if (this.sessions.has(session)) return;
    this.sessions.add(session);
    this.changed.fire();
  }

  turnOff(session: SessionKey): void {
    if (this.sessions.delete(session)) this.changed.fire();
  }

  turnOffAll(): void {
    if (!this.isOn) return;
    this.sessions.clear();
    this.changed.fire();
  }
}
