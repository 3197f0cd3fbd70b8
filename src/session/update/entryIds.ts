import type { EntryId, MessageId, PlanId, ToolCallId } from '../../shared/values/ids';

/** Kinds of messages, as used in entry ids. */
export type MessageKind = 'user_message' | 'agent_message' | 'agent_thought';

/** Returns the entry id of an agent's message. Message ids are unique only per kind. */
export function messageEntryId(kind: MessageKind, messageId: MessageId): EntryId {
  return `${kind}:${messageId}` as EntryId;
}

/** Returns the entry id of the message that started this turn. */
export function promptEntryId(turn: number): EntryId {
  return `prompt:${turn}` as EntryId;
}

export function toolCallEntryId(toolCallId: ToolCallId): EntryId {
  return `tool_call:${toolCallId}` as EntryId;
}

/** Returns the entry id of a plan; `turn` is that of a later turn in which it changed. */
export function planEntryId(planId: PlanId, turn?: number): EntryId {
  return (turn === undefined ? `plan:${planId}` : `plan:${planId}@${turn}`) as EntryId;
}

export function compactionEntryId(compactionId: string): EntryId {
  return `compaction:${compactionId}` as EntryId;
}

/**
 * Returns an id for an entry that is never referred to again; `rev` is the transcript's revision when the entry is
 * created.
 */
export function singleEntryId(kind: 'notice' | 'error' | 'login' | 'elicitation' | 'steered', rev: number): EntryId {
  return `${kind}:${rev}` as EntryId;
}

/**
 * Returns the entry id of a file restore. `unique` must never repeat, because the id is also used outside the
 * transcript.
 */
export function restoreEntryId(unique: string): EntryId {
  return `restore:${unique}` as EntryId;
}
