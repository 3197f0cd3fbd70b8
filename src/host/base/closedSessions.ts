import type { AgentPool } from '../../agent/pool/agentPool';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';

/** A session that was closed. One that ends with the window is open again in the next one. */
export interface ClosedSession {
  readonly key: SessionKey;
  readonly endsWithWindow: boolean;
}

/** Reports the sessions that were closed, so that each part can forget what it has for them. */
export class ClosedSessions extends Disposable {
  private readonly closed = this.register(new Emitter<ClosedSession>());
  readonly onDidClose = this.closed.event;
  private isWindowClosing = false;

  constructor(pool: Pick<AgentPool, 'sessions' | 'onDidChangeSessions'>) {
    super();
    let known = new Set<SessionKey>();
    this.register(
      pool.onDidChangeSessions(() => {
        const live = new Set(pool.sessions.map(({ key }) => key));
        const gone = [...known].filter((key) => !live.has(key));
        known = live;
        for (const key of gone) this.closed.fire({ key, endsWithWindow: this.isWindowClosing });
      }),
    );
  }

  /** Sessions that close from here on end with the window. */
  windowCloses(): void {
    this.isWindowClosing = true;
  }
}
