import type { AgentId } from '../shared/values/ids';
import type { SessionView } from '../shared/transcript/transcript';

/** Returns the view of a session before its agent has sent anything. */
export function firstView(agentId: AgentId, agentName: string, cwd: string): SessionView {
  return {
    agentId,
    agentName,
    agentVersion: '',
    sessionId: '',
    title: '',
    cwd,
    connection: { state: 'starting' },
    activity: { state: 'idle' },
    usage: { state: 'unknown' },
    plans: [],
    availableCommands: [],
    configOptions: [],
    queue: [],
  };
}
