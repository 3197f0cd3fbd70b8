import type { SessionWork } from '../../../session/transcript/sessionWork';
import type { AgentId, SessionId, SessionKey } from '../../../shared/values/ids';
import { boolean, fields, number, oneOf, optional, text } from '../../../shared/values/shape';

/** A stored session's data that is available without reading the session. */
export interface StoredListing {
  readonly key: SessionKey;
  readonly title: string;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly cwd: string;
  /** The agent's id of the session. Empty or absent if there is none. */
  readonly sessionId?: SessionId | '';
  /** Number of entries in the transcript. */
  readonly size: number;
  /** In milliseconds since the epoch. */
  readonly madeAt: number;
  /** When the transcript last changed, in milliseconds since the epoch. */
  readonly updatedAt: number;
  /** True if the user hasn't closed the session. */
  readonly isOpen: boolean;
  /** True if the session is open in another window. Computed, not stored. */
  readonly isElsewhere?: boolean;
  /** True if the session is archived in Parley, and in its agent if that can archive sessions. */
  readonly isArchived?: boolean;
  /** True if the session is pinned in the list. */
  readonly isPinned?: boolean;
  /** The session whose agent started it. */
  readonly askedBy?: SessionKey;
  /** The branch of its folder when it was last stored. */
  readonly branch?: string;
  /** What the open session does, for other windows. It counts only while its window is open. */
  readonly work?: SessionWork;
}

const shape = fields({
  key: text,
  title: text,
  agentId: text,
  agentName: text,
  cwd: text,
  sessionId: optional(text),
  size: number,
  madeAt: number,
  updatedAt: number,
  isOpen: boolean,
  isArchived: optional(boolean),
  isPinned: optional(boolean),
  askedBy: optional(text),
  branch: optional(text),
  work: optional(
    fields({
      state: oneOf('needsYou', 'running', 'failed', 'idle'),
      words: optional(text),
      since: optional(number),
    }),
  ),
});

/** Reads a listing. Returns undefined if the JSON isn't one. */
export function readListing(json: unknown): StoredListing | undefined {
  return shape(json) ? (json as StoredListing) : undefined;
}
