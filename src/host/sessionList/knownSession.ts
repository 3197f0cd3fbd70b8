import type { AgentId, SessionId, SessionKey } from '../../shared/ids';
import type { LoginServices } from '../login/logInTo';
import type { SessionStore } from '../sessions/sessionStore';

/** A session that the user means: one of ours, one that an agent keeps, or both. */
export interface KnownSession {
  readonly key?: SessionKey;
  readonly agentId: AgentId;
  readonly agentName: string;
  /** Empty when its agent never named it. */
  readonly sessionId: SessionId | '';
  readonly title: string;
}

/** What is needed to change a session that is listed. */
export interface KnownSessionServices extends LoginServices {
  readonly sessions: SessionStore;
}
