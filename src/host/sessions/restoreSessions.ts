import { setTimeout as delay } from 'node:timers/promises';
import type { AgentPool } from '../../agent/agentPool';
import type { SessionKey } from '../../shared/ids';
import type { AgentCatalog } from '../agents/agentCatalog';
import type { SessionStore } from './sessionStore';

/** A window that was closing when this one began may write for so long (ms). */
const lateMs = 3000;

/**
 * Brings back the sessions that were open when the window was closed, and tells when they are `back`, once more for late ones, and for
 * those of other windows that have gone; those of agents that are gone wait in the history. One that cannot be brought back costs
 * no other: what is stored of it is put aside.
 */
export async function restoreSessions(
  store: SessionStore,
  pool: Pick<AgentPool, 'restoreSession'>,
  catalog: Pick<AgentCatalog, 'find'>,
  { back, report }: { readonly back: () => void; readonly report: (error: unknown) => void },
): Promise<void> {
  const seen = new Set<SessionKey>();
  const bringBack = async () => {
    for (const stored of await store.open()) {
      const spec = catalog.find(stored.snapshot.view.agentId);
      try {
        if (spec && !seen.has(stored.key)) pool.restoreSession(spec, stored);
      } catch (error) {
        report(error);
        await store.setAside(stored.key);
      }
      seen.add(stored.key);
    }
    back();
  };
  await bringBack().catch(report);
  store.start();
  store.onDidFree(() => void bringBack().catch(report));
  await delay(lateMs, undefined, { ref: false });
  await bringBack().catch(report);
}
