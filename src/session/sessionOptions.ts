import type { AgentId, SessionKey } from '../shared/ids';
import type { SessionView } from '../shared/transcript';
import type { Session } from './session';
import type { Schedule } from './turn/stopWait';
import type { StoredSession } from './transcript/storedSession';

/** Who made a session and holds its process. Called by the session, never the other way round. */
export interface SessionOwner {
  /** Start the agent again and open this session in it. */
  restart(session: Session): void;
  /** End the agent's process at once, with all of its sessions. */
  endProcess(session: Session): void;
  /** The session has been closed: tell the agent, free what belongs to it. */
  closed(session: Session): void;
}

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
