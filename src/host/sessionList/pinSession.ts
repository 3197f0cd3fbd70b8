import type { KnownSession, KnownSessionServices } from './knownSession';
import { sessionMark } from './sessionMark';

/** Pins or unpins a session, so that it stays at the top of the list. */
export async function pinSession(
  { sessions, marks }: Pick<KnownSessionServices, 'sessions' | 'marks'>,
  { key, agentId, sessionId }: KnownSession,
  isPinned: boolean,
): Promise<void> {
  if (key === undefined) await marks.set(sessionMark(agentId, sessionId), { isPinned });
  else await sessions.pin(key, isPinned);
}
