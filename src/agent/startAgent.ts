import { FailureError } from '../session/failures';
import type { SetupNotice } from './sessionSetup';
import type { Agent } from './agent';
import type { AgentSpec } from './agentSpec';
import { startFailure } from './startFailure';

/** Gives an agent that has introduced itself what the user has set for it; resolves to what it did not take, for its sessions to tell. */
export type ConfigureAgent = (spec: AgentSpec, agent: Agent, signal: AbortSignal) => Promise<readonly SetupNotice[]>;

/** Starts an agent until sessions can be opened in it; `notices` gets what they are to tell. Rejects with a `FailureError`. */
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
