import type { TurnSummary } from '../amounts/turnSummary';
import type { EntryId, SessionId } from '../values/ids';

/**
 * `unknown`: the agent hasn't reported a state, or no longer does. The subagent counts neither as running nor as done.
 */
export type SubagentState = 'running' | 'requires_action' | 'idle' | 'unknown';

/**
 * An agent that works for the session's main agent, in a session that only the main agent prompts. Its actions are
 * entries with its id.
 */
export interface SubagentEntry {
  readonly kind: 'subagent';
  readonly id: EntryId;
  /** The turn, starting at 1; 0 is before the first prompt. */
  readonly turn: number;
  /** The subagent that started this one. */
  readonly subagent?: SessionId;
  /** Set on the last entry of a turn that has ended in Parley. */
  readonly turnSummary?: TurnSummary;
  /** Set if the entry is from another session, whose conversation this one continues. */
  readonly earlier?: true;
  /** The id of its session, unique in the transcript. */
  readonly sessionId: SessionId;
  /** May be empty. */
  readonly title: string;
  readonly description?: string;
  readonly state: SubagentState;
  /**
   * How it ended, as the agent wrote it. Parley also sets `cancelled` if it was running when its turn or its agent
   * ended.
   */
  readonly stopReason?: string;
  /** What failed, in the agent's words. */
  readonly error?: string;
  /** Whether the agent supports `session/cancel` for it. */
  readonly canCancel: boolean;
  readonly startedAt: number;
  /** Present while it is idle. */
  readonly endedAt?: number;
}

/**
 * Returns the text of a subagent's row: its name, and the first line of its description if that adds something. Codex
 * sends a name or nothing.
 */
export function subagentWords({ title, description = '' }: Pick<SubagentEntry, 'title' | 'description'>): {
  readonly title: string;
  readonly about: string;
} {
  const [line = ''] = description
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean);
  return title === '' ? { title: line, about: '' } : { title, about: line === title ? '' : line };
}

/** Returns the entry id of a subagent; `sessionId` is the id that is unique in the transcript. */
export function subagentEntryId(sessionId: SessionId): EntryId {
  return `subagent:${sessionId}` as EntryId;
}
