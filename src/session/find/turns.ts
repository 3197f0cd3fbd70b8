import { compact } from '../../shared/values/decodeValue';
import type { EntryId } from '../../shared/values/ids';
import type { Entry, Transcript, UserMessageEntry } from '../../shared/transcript/transcript';

/** A message of the user in the outline, and what became of its turn. */
export interface OutlinedTurn {
  readonly entry: EntryId;
  readonly turn: number;
  /** The first line of the message that isn't empty. Empty if the message has no text. */
  readonly line: string;
  readonly state: 'running' | 'waiting' | 'failed' | 'declined' | 'done';
  /** When the turn's first entry with a time started, in milliseconds since the epoch. */
  readonly startedAt?: number;
}

/** Returns the user's messages with their turns, oldest first. */
export function outlineOf(transcript: Transcript): readonly OutlinedTurn[] {
  const { order, entries, view } = transcript;
  const messages: UserMessageEntry[] = [];
  const starts = new Map<number, number>();
  const failed = new Set<number>();
  for (const id of order) {
    const entry = entries.get(id);
    if (!entry) continue;
    if (entry.kind === 'user_message') messages.push(entry);
    if ('startedAt' in entry && !starts.has(entry.turn)) starts.set(entry.turn, entry.startedAt);
    if (isFailure(entry)) failed.add(entry.turn);
  }
  const last = messages.at(-1)?.turn;
  const current = view.activity.state === 'idle' ? undefined : view.activity.state;
  return messages.map(({ id, turn, content, state }) => {
    const startedAt = starts.get(turn);
    const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    return {
      entry: id,
      turn,
      line: text.trimStart().split('\n', 1)[0]?.trim() ?? '',
      state:
        state === 'refused'
          ? 'declined'
          : current !== undefined && turn === last
            ? current === 'running'
              ? 'running'
              : 'waiting'
            : failed.has(turn)
              ? 'failed'
              : 'done',
      ...compact({ startedAt }),
    };
  });
}

/** Returns whether an entry says that its turn didn't end as usual. */
function isFailure(entry: Entry): boolean {
  return entry.kind === 'error' || (entry.kind === 'notice' && entry.severity === 'error');
}
