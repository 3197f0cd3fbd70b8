import type { AgentId, SessionKey } from '../shared/ids';
import type { SessionView } from '../shared/transcript';
import type { Session } from './session';
import type { Schedule } from './turn/stopWait';
import type { StoredSession } from './transcript/storedSession';

/** The owner of a session and its process. The session calls the owner, never the other way round. */
export interface SessionOwner {
  /** Starts the agent again and opens this session in it, or a new one of the agent if `isFresh`. */
  restart(session: Session, isFresh?: boolean): void;
  /** Kills the agent's process, with all of its sessions. */
  endProcess(session: Session): void;
  /** Called when the session has been closed: notifies the agent and frees the session's resources. */
  closed(session: Session): void;
}

/** Options for creating a session. */
export interface SessionOptions {
  readonly key: SessionKey;
  readonly agentId: AgentId;
  readonly agentName: string;
  /** The session's folder, absolute. */
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly owner: SessionOwner;
  /** The record of an earlier window; the agent starts when the user sends a message. */
  readonly stored?: StoredSession;
}

/** Setup that is sent each time a session is opened, because agents don't remember it. */
export type KeptSetup = Pick<SessionView, 'additionalDirectories'>;

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
