import type { AgentPool } from '../../agent/agentPool';
import type { AgentCatalog } from '../agents/agentCatalog';
import type { SessionStore } from './sessionStore';

/** Brings back the sessions that were open when the window was closed; those of agents that are gone wait in the history. */
export async function restoreSessions(store: SessionStore, pool: AgentPool, catalog: AgentCatalog): Promise<void> {
  for (const stored of await store.load()) {
    const spec = catalog.find(stored.snapshot.view.agentId);
    if (spec) pool.restoreSession(spec, stored);
  }
}
