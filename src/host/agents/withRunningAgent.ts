import type { Agent } from '../../agent/connection/agent';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { AgentId } from '../../shared/values/ids';

/**
 * Runs a task with the agent's process, if it's running, and keeps the process alive at least until the task is done.
 */
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
