import type { SessionUpdate } from '../../acp/shape/sessionUpdate';
import type { ContentBlock } from '../../shared/transcript/content';
import type { SessionId } from '../../shared/values/ids';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type { Entry, Transcript } from '../../shared/transcript/transcript';
import { messageEntryId, type MessageKind } from './entryIds';

type MessageChunk = Extract<SessionUpdate, { sessionUpdate: `${MessageKind}_chunk` }>;
type MessageUpsert = Extract<SessionUpdate, { sessionUpdate: MessageKind }>;

/** Where a new entry belongs: a turn, and the subagent if the entry is from one. */
export interface Place {
  readonly turn: number;
  readonly subagent?: SessionId;
}

/** Appends a new entry and ends the running thought of the same agent. */
export function appendEntry(transcript: Transcript, entry: Entry, now: number): TranscriptOp[] {
  return [...endThought(transcript, now, entry.subagent), { op: 'insert', entry }];
}

/** Ends the agent's thought if it is its last entry and still running. Entries of subagents may come in between. */
export function endThought({ order, entries }: Transcript, now: number, subagent?: SessionId): TranscriptOp[] {
  for (let at = order.length - 1; at >= 0; at--) {
    const id = order[at];
    const entry = id === undefined ? undefined : entries.get(id);
    // A subagent's entries follow its row.
    if (entry?.kind === 'subagent' && entry.sessionId === subagent) return [];
    if (!entry || entry.subagent !== subagent) continue;
    if (entry.kind !== 'agent_thought' || entry.endedAt !== undefined) return [];
    return [{ op: 'patch', id: entry.id, kind: 'agent_thought', fields: { endedAt: now } }];
  }
  return [];
}

/** Appends a chunk to its message, and creates the message if it is new. */
export function reduceChunk(transcript: Transcript, update: MessageChunk, now: number, place: Place): TranscriptOp[] {
  const kind = update.sessionUpdate.slice(0, -'_chunk'.length) as MessageKind;
  const id = messageEntryId(kind, update.messageId);
  const entry = transcript.entries.get(id);
  if (!entry || !('content' in entry)) {
    return appendEntry(transcript, newMessage(kind, update, [update.content], now, place), now);
  }
  return [appendBlock(entry, update.content)];
}

/** Creates a message or replaces its content. */
export function reduceMessage(
  transcript: Transcript,
  update: MessageUpsert,
  now: number,
  place: Place,
): TranscriptOp[] {
  const kind = update.sessionUpdate;
  const entry = transcript.entries.get(messageEntryId(kind, update.messageId));
  if (!entry || !('content' in entry)) {
    return appendEntry(transcript, newMessage(kind, update, update.content ?? [], now, place), now);
  }
  if (update.content === undefined) return [];
  return [{ op: 'replace', entry: { ...entry, content: update.content } as Entry }];
}

function newMessage(
  kind: MessageKind,
  { messageId }: MessageChunk | MessageUpsert,
  content: readonly ContentBlock[],
  now: number,
  place: Place,
): Entry {
  const id = messageEntryId(kind, messageId);
  switch (kind) {
    case 'user_message':
      return { kind, id, ...place, content, state: 'sent' };
    case 'agent_message':
      return { kind, id, ...place, content };
    case 'agent_thought':
      return { kind, id, ...place, content, startedAt: now };
  }
}

function appendBlock(entry: Entry & { content: readonly unknown[] }, block: ContentBlock): TranscriptOp {
  if (block.type !== 'text') return { op: 'appendContent', id: entry.id, content: block };
  const last = entry.content.at(-1) as ContentBlock | undefined;
  if (last?.type !== 'text') return { op: 'appendContent', id: entry.id, content: block };
  // Text for the model alone must not be merged with text for the user.
  if (last.audience?.join() !== block.audience?.join()) return { op: 'appendContent', id: entry.id, content: block };
  return { op: 'appendText', id: entry.id, block: entry.content.length - 1, text: block.text };
}
