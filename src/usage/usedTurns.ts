import { compact } from '../shared/values/decodeValue';
import type { SessionKey } from '../shared/values/ids';
import type { TranscriptOp } from '../shared/transcript/ops';
import type { Transcript } from '../shared/transcript/transcript';
import type { UsedTurn } from './usageDays';

/** Returns the turns that end with these ops of a session. `now` is the time of those without one. */
export function usedTurns(
  { key, transcript }: { readonly key: SessionKey; readonly transcript: Pick<Transcript, 'view'> },
  ops: readonly TranscriptOp[],
  now: number,
): readonly UsedTurn[] {
  return ops.flatMap((op) => {
    if (op.op !== 'summarize') return [];
    const { endedAt, model, tokens, cost } = op.summary;
    const { agentId, agentName } = transcript.view;
    return [{ at: endedAt ?? now, agentId, agentName, session: key, ...compact({ model, tokens, cost }) }];
  });
}
