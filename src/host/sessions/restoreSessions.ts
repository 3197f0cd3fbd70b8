import { setTimeout as delay } from 'node:timers/promises';
import type { AgentPool } from '../../agent/agentPool';
import type { SessionKey } from '../../shared/ids';
import type { AgentCatalog } from '../agents/agentCatalog';
import type { SessionStore } from './sessionStore';

/** A window that was closing when this one began may write for so long (ms). */
const lateMs = 3000;

/**
 * Brings back the sessions that were open when the window was closed, and tells when they are `back`, once more for late ones; those of
 * agents that are gone wait in the history.
 */
export async function restoreSessions(
  store: SessionStore,
  pool: AgentPool,
  catalog: AgentCatalog,
  back: () => void,
): Promise<void> {
  const seen = new Set<SessionKey>();
  const bringBack = async () => {
    for (const stored of await store.open()) {
      const spec = catalog.find(stored.snapshot.view.agentId);
      if (spec && !seen.has(stored.key)) pool.restoreSession(spec, stored);
      seen.add(stored.key);
    }
    back();
  };
  await bringBack();
  store.start();
  await delay(lateMs, undefined, { ref: false });
  await bringBack();
}
