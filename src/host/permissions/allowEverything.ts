import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { freedomIn, type Freedom } from '../../shared/limits/freedom';
import type { SessionKey } from '../../shared/values/ids';
import type { SandboxMode } from '../../shared/limits/sandboxMode';

/** The sessions in which the user allowed everything, or to work freely. Never stored, so a reload turns it off. */
export class AllowEverything extends Disposable {
  /** What held each of them as the user agreed. */
  private readonly sessions = new Map<SessionKey, SandboxMode>();
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  get isOn(): boolean {
    return this.sessions.size > 0;
  }

  /** Whether all of it stays inside of sandboxes. */
  get isHeld(): boolean {
    return ![...this.sessions.values()].includes('off');
  }

  freedomOf(session: SessionKey): Freedom | undefined {
    const sandbox = this.sessions.get(session);
    return sandbox && freedomIn(sandbox);
  }

  /** Turns it off if a session is in another sandbox by now: the user agreed to something else. */
  follow(session: SessionKey, sandbox: SandboxMode): void {
    const agreed = this.sessions.get(session);
    if (agreed !== undefined && agreed !== sandbox) this.turnOff(session);
  }

  turnOn(session: SessionKey, sandbox: SandboxMode): void {
    if (this.sessions.get(session) === sandbox) return;
    this.sessions.set(session, sandbox);
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
