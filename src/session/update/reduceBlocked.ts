import type { BlockedPlace, ToolCallEntry, Transcript } from '../../shared/transcript';
import type { TranscriptOp } from '../../shared/ops';
import { hasEnded } from './reduceToolCall';

/** A call with more places says nothing more. */
const most = 5;

/**
 * Shows what a sandbox has blocked at the call of this turn that it was probably blocked for: the last one that runs, or
 * else the one that ended last. What was blocked outside of any call is the agent's own business.
 */
export function reduceBlocked(transcript: Transcript, turn: number, place: BlockedPlace): TranscriptOp[] {
  const calls = transcript.order.flatMap((id): readonly ToolCallEntry[] => {
    const entry = transcript.entries.get(id);
    return entry?.kind === 'tool_call' && entry.turn === turn && !entry.asks ? [entry] : [];
  });
  const running = calls.filter(({ status }) => !hasEnded(status)).at(-1);
  const ended = calls.toSorted((one, other) => (one.endedAt ?? 0) - (other.endedAt ?? 0)).at(-1);
  const call = running ?? ended;
  const { blocked = [] } = call ?? {};
  if (!call || blocked.length >= most || blocked.some(({ path }) => path === place.path)) return [];
  return [{ op: 'patch', id: call.id, kind: 'tool_call', fields: { blocked: [...blocked, place] } }];
}
