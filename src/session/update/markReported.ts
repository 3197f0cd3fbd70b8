import type { TranscriptOp } from '../../shared/transcript/ops';
import type { Transcript } from '../../shared/transcript/transcript';

/** Marks the messages of the user that ops add or change, because an agent can report messages that nobody sent. */
export function markReported({ entries }: Transcript, ops: readonly TranscriptOp[]): readonly TranscriptOp[] {
  return ops.flatMap((op): TranscriptOp[] => {
    if (op.op === 'insert' || op.op === 'replace') {
      return op.entry.kind === 'user_message' ? [{ ...op, entry: { ...op.entry, isReported: true } }] : [op];
    }
    if (op.op !== 'appendText' && op.op !== 'appendContent') return [op];
    const entry = entries.get(op.id);
    if (entry?.kind !== 'user_message' || entry.isReported) return [op];
    return [op, { op: 'patch', id: op.id, kind: 'user_message', fields: { isReported: true } }];
  });
}
