import { FailureError } from '../../session/failures';
import type { SetupNotice } from '../connection/sessionSetup';
import type { Agent } from '../connection/agent';
import type { AgentSpec } from '../spec/agentSpec';
import { startFailure } from './startFailure';

/**
 * Sends the user's settings to an agent that has answered `initialize`; resolves to notices about refused settings, for
 * its sessions.
 */
export type ConfigureAgent = (spec: AgentSpec, agent: Agent, signal: AbortSignal) => Promise<readonly SetupNotice[]>;

/**
 * Starts an agent until sessions can be opened in it, and adds notices for its sessions to `notices`. Rejects with a
 * `FailureError`.
 */
export async function startAgent(
  agent: Agent,
  spec: AgentSpec,
  configure: ConfigureAgent | undefined,
  notices: SetupNotice[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await agent.start(signal);
    notices.push(...((await configure?.(spec, agent, signal)) ?? []));
  } catch (error) {
    throw new FailureError(await startFailure(spec.name, agent, error));
  }
}
