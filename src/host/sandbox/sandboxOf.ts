import type { AgentSpec } from '../../agent/spec/agentSpec';
import { strictestMode, type SandboxMode } from '../../shared/limits/sandboxMode';
import type { Settings } from '../settings/settings';

/**
 * Returns what a session's agent is held to: what the user chose for the session, or for the agent, or for all. The
 * workspace and the policy of this machine require at least theirs.
 */
export function sandboxOf(
  settings: Pick<Settings, 'sandbox' | 'sandboxOfWorkspace'>,
  required: SandboxMode | undefined,
  { sandbox, isOfWorkspace }: Pick<AgentSpec, 'sandbox' | 'isOfWorkspace'>,
  chosen: SandboxMode | undefined,
): SandboxMode {
  // An agent that the workspace defines can't leave the user's sandbox.
  const ofAgent = isOfWorkspace && sandbox ? strictestMode(sandbox, settings.sandbox) : sandbox;
  return strictestMode(chosen ?? ofAgent ?? settings.sandbox, settings.sandboxOfWorkspace, required);
}
