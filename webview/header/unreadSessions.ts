import type { SessionKey } from '../../src/shared/values/ids';
import type { SessionListing } from '../../src/shared/pages/messages';

/**
 * Tracks sessions whose turn ended while another one was shown, from the session listings of successive page states. A session is read as
 * soon as it is shown.
 */
export class UnreadSessions {
  private before: ReadonlyMap<SessionKey, SessionListing['state']> = new Map();
  private readonly keys = new Set<SessionKey>();

  get all(): ReadonlySet<SessionKey> {
    return this.keys;
  }

  follow(sessions: readonly SessionListing[], active: SessionKey | ''): void {
    for (const { session, state } of sessions) {
      const was = this.before.get(session);
      const ended = (was === 'running' || was === 'requires_action') && (state === 'idle' || state === 'closed');
      if (ended) this.keys.add(session);
    }
    this.before = new Map(sessions.map(({ session, state }) => [session, state]));
    for (const key of this.keys) {
      if (key === active || !this.before.has(key)) this.keys.delete(key);
    }
  }
}
