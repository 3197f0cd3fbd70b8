import type { AgentId } from '../../src/shared/values/ids';
import type { SessionView } from '../../src/shared/transcript/transcript';

/** A ready, empty session that tests extend: `{ ...emptyView, title: 'x' }`. */
export const emptyView: SessionView = {
  agentId: 'settings:Agent' as AgentId,
  agentName: 'Agent',
  agentVersion: '',
  sessionId: '',
  title: '',
  cwd: '/workspace',
  connection: { state: 'ready' },
  activity: { state: 'idle' },
  plans: [],
  availableCommands: [],
  configOptions: [],
  usage: { state: 'unknown' },
  queue: [],
};
