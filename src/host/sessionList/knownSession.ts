import type { AgentId, SessionId, SessionKey } from '../../shared/values/ids';
import type { LoginServices } from '../login/logInTo';
import type { SessionStore } from '../sessions/stored/sessionStore';
import type { WorktreeEnd } from '../sessions/end/worktreeEnd';
import type { WindowBoard } from '../sessions/stored/windowBoard';
import type { AgentMarks } from './agentMarks';

/** A session in the list: one of Parley's own, one that an agent stores, or both. */
export interface KnownSession {
  readonly key?: SessionKey;
  readonly agentId: AgentId;
  readonly agentName: string;
  /** Empty if the agent never gave it an id. */
  readonly sessionId: SessionId | '';
  readonly title: string;
}

/** The services needed to change a listed session. */
export interface KnownSessionServices extends LoginServices {
  readonly sessions: SessionStore;
  readonly marks: AgentMarks;
  readonly board: WindowBoard;
  readonly worktrees: WorktreesOfSessions;
}

/** What happens to the worktrees that sessions work in. */
export interface WorktreesOfSessions {
  /**
   * Asks before sessions end, and says what would be lost. Resolves to what `end` does after they have ended, or to undefined if the user
   * cancels.
   */
  beforeEnd(ending: readonly SessionKey[], end: 'delete' | 'archive'): Promise<readonly WorktreeEnd[] | undefined>;
  /** Removes the worktrees of sessions that have ended, unless another session works there. Never rejects. */
  end(ends: readonly WorktreeEnd[], ended: readonly SessionKey[]): Promise<void>;
  /** Brings back the folder of a session, if it was removed. Rejects with a sentence. */
  bringBack(cwd: string): Promise<void>;
}
