import type { Agent } from '../../agent/agent';
import type { AgentPool } from '../../agent/agentPool';
import type { AgentId } from '../../shared/ids';

/** Does something with a process of this agent, if one runs: it lives on at least until that is done. */
export async function withRunningAgent<T>(
  pool: AgentPool,
  agentId: AgentId,
  work: (agent: Agent | undefined) => Promise<T>,
): Promise<T> {
  const leases = pool.leaseRunning();
  try {
    return await work(leases.find(({ spec }) => spec.id === agentId)?.agent);
  } finally {
    for (const lease of leases) lease.dispose();
  }
}
