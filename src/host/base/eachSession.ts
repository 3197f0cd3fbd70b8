import { toDisposable, type IDisposable } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';

/** The sessions of a window, and when one was opened or closed. */
export interface SessionPool<S> {
  readonly sessions: readonly S[];
  readonly onDidChangeSessions: Event<void>;
}

/** Calls `open` for each session, now and when another one opens. What it returns is disposed once the session is gone, or at the end. */
export function eachSession<S>(pool: SessionPool<S>, open: (session: S) => IDisposable): IDisposable {
  const followed = new Map<S, IDisposable>();
  const follow = (sessions: readonly S[]) => {
    for (const [session, listener] of followed) {
      if (sessions.includes(session)) continue;
      followed.delete(session);
      listener.dispose();
    }
    for (const session of sessions) if (!followed.has(session)) followed.set(session, open(session));
  };
  const changes = pool.onDidChangeSessions(() => follow(pool.sessions));
  follow(pool.sessions);
  return toDisposable(() => {
    changes.dispose();
    follow([]);
  });
}
