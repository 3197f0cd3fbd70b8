import type { EntryId, SessionId } from './ids';

/** `unknown`: the agent has not said, or no longer says; that is neither at work nor done. */
export type SubagentState = 'running' | 'requires_action' | 'idle' | 'unknown';

/** An agent that works for the session's own, in a session that only its agent prompts. What it does are entries that name it. */
export interface SubagentEntry {
  readonly kind: 'subagent';
  readonly id: EntryId;
  /** Turns are counted from 1; 0 is what came before the first prompt. */
  readonly turn: number;
  /** The subagent that has started this one. */
  readonly subagent?: SessionId;
  /** The id of its session, unique in the transcript. */
  readonly sessionId: SessionId;
  /** May be empty. */
  readonly title: string;
  readonly description?: string;
  readonly state: SubagentState;
  /** How it ended, as the agent wrote it. `cancelled` is also ours: it was at work when its turn or its agent ended. */
  readonly stopReason?: string;
  /** What failed, in the agent's words. */
  readonly error?: string;
  /** Whether the agent takes `session/cancel` for it. */
  readonly canCancel: boolean;
  readonly startedAt: number;
  /** There while it is idle. */
  readonly endedAt?: number;
}

/** What a subagent's row says: its name, and the first line of what it is about where that says more. Codex names it or nothing. */
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

/** The entry of a subagent; `sessionId` is the one that is unique in the transcript. */
export function subagentEntryId(sessionId: SessionId): EntryId {
  return `subagent:${sessionId}` as EntryId;
}
