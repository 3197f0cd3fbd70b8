import type { EntryId, MessageId, PlanId, ToolCallId } from '../../shared/ids';

/** Kinds of messages, as entries are named after them. */
export type MessageKind = 'user_message' | 'agent_message' | 'agent_thought';

/** The entry of an agent's message; ids of messages are unique per kind only. */
export function messageEntryId(kind: MessageKind, messageId: MessageId): EntryId {
  return `${kind}:${messageId}` as EntryId;
}

/** The entry of the message that began this turn. */
export function promptEntryId(turn: number): EntryId {
  return `prompt:${turn}` as EntryId;
}

export function toolCallEntryId(toolCallId: ToolCallId): EntryId {
  return `tool_call:${toolCallId}` as EntryId;
}

export function planEntryId(planId: PlanId): EntryId {
  return `plan:${planId}` as EntryId;
}

export function compactionEntryId(compactionId: string): EntryId {
  return `compaction:${compactionId}` as EntryId;
}

/** An entry that nothing refers to again; `rev` is the transcript's revision when it was planned. */
export function singleEntryId(kind: 'notice' | 'error' | 'login' | 'elicitation' | 'steered', rev: number): EntryId {
  return `${kind}:${rev}` as EntryId;
}

/** The line that tells of a restore of files; `unique` among all that ever were, for it is named outside of the transcript. */
export function restoreEntryId(unique: string): EntryId {
  return `restore:${unique}` as EntryId;
}
