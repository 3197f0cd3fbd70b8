import type { BlockedPlace, ToolCallEntry, Transcript } from '../../shared/transcript/transcript';
import type { TranscriptOp } from '../../shared/transcript/ops';
import { hasEnded } from './reduceToolCall';

/** How many places of a kind a call has. More say nothing more. */
const most = 20;

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
  return call ? reduceBlockedAt(call, place) : [];
}

/** Shows what a sandbox has blocked at a call. */
export function reduceBlockedAt(call: ToolCallEntry, place: BlockedPlace): TranscriptOp[] {
  const { blocked = [] } = call;
  // Each kind has its own number: a program can cause many rows, and must not keep one of another kind out with them.
  const alike = blocked.filter(({ kind, canAllow }) => kind === place.kind && canAllow === place.canAllow);
  if (alike.length >= most || blocked.some(({ kind, path }) => kind === place.kind && path === place.path)) return [];
  return [{ op: 'patch', id: call.id, kind: 'tool_call', fields: { blocked: [...blocked, place] } }];
}
