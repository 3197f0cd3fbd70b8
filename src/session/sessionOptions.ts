import type { AgentId, SessionKey } from '../shared/ids';
import type { SessionView } from '../shared/transcript';
import type { SessionOwner } from './sessionChannel';
import type { Schedule } from './stopWait';
import type { StoredSession } from './storedSession';

/** What a session is made of. */
export interface SessionOptions {
  readonly key: SessionKey;
  readonly agentId: AgentId;
  readonly agentName: string;
  /** Absolute path the session works in. */
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly owner: SessionOwner;
  /** What an earlier window stored of it; it rests until the user sends a message. */
  readonly stored?: StoredSession;
}

/** What a session is opened with each time, and agents do not remember. */
export type KeptSetup = Pick<SessionView, 'additionalDirectories'>;

/** What a session shows before its agent has said anything. */
export function firstView(agentId: AgentId, agentName: string, cwd: string): SessionView {
  return {
    ...{ agentId, agentName, agentVersion: '', sessionId: '', title: '', cwd },
    ...{ connection: { state: 'starting' }, activity: { state: 'idle' }, usage: { state: 'unknown' } },
    ...{ plans: [], availableCommands: [], configOptions: [], queue: [] },
  };
}
