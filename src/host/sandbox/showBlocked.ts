import { homedir } from 'node:os';
import type { Blocked, SandboxPolicy } from '../../shared/sandbox';
import type { Session } from '../../session/session';
import { blockedPlace } from '../../sandbox/blockedPlace';
import { askedSession } from './decideHost';

/** Shows what a sandbox has blocked, in the session that works. */
export function showBlocked(
  sessions: readonly Pick<Session, 'isClosed' | 'transcript' | 'showBlocked'>[],
  blocked: Blocked,
  policy: SandboxPolicy,
): void {
  const place = blockedPlace(policy, blocked, homedir());
  if (place) askedSession(sessions)?.showBlocked(place);
}
