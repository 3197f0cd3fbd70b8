import type { Session } from '../../session/session';
import type { IDisposable } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';

/** Where sessions open and close. */
interface OpenSessions {
  readonly sessions: readonly Session[];
  readonly onDidChangeSessions: Event<void>;
}

/** Calls `changed` when an open session changes its state, or its requests, which come without another change. */
export class RequestWatch implements IDisposable {
  private readonly pool: OpenSessions;
  private readonly changed: () => void;
  private readonly listeners = new Map<SessionKey, IDisposable>();
  private readonly listening: IDisposable;

  constructor(pool: OpenSessions, changed: () => void) {
    this.pool = pool;
    this.changed = changed;
    this.follow();
    this.listening = pool.onDidChangeSessions(() => {
      this.follow();
      changed();
    });
  }

  dispose(): void {
    this.listening.dispose();
    for (const listener of this.listeners.values()) listener.dispose();
    this.listeners.clear();
  }

  private follow(): void {
    const live = new Set(this.pool.sessions.map(({ key }) => key));
    for (const [key, listener] of this.listeners) {
      if (live.has(key)) continue;
      listener.dispose();
      this.listeners.delete(key);
    }
    for (const session of this.pool.sessions) {
      if (this.listeners.has(session.key)) continue;
      let known = session.openRequests;
      const listener = session.onDidApply(() => {
        if (session.openRequests !== known) this.changed();
        known = session.openRequests;
      });
      this.listeners.set(session.key, listener);
    }
  }
}
