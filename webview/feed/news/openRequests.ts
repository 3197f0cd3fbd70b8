import type { EntryId } from '../../../src/shared/values/ids';
import { isWaitingForAnswer } from '../../../src/shared/transcript/openQuestion';
import type { TranscriptOp } from '../../../src/shared/transcript/ops';
import type { Transcript } from '../../../src/shared/transcript/transcript';

/** Tracks which entries of the transcript have an open request, updated with each op instead of by searching. */
export class OpenRequests {
  private readonly asking = new Set<EntryId>();

  get count(): number {
    return this.asking.size;
  }

  /** Starts again with a whole transcript. */
  reset(transcript: Transcript | undefined): void {
    this.asking.clear();
    for (const entry of transcript?.entries.values() ?? []) {
      if (isWaitingForAnswer(entry)) this.asking.add(entry.id);
    }
  }

  /** Updates for ops that are already applied to `transcript`. Returns whether a request opened or closed. */
  follow(transcript: Transcript, ops: readonly TranscriptOp[]): boolean {
    let changed = false;
    for (const op of ops) {
      if (op.op === 'truncate') {
        this.reset(transcript);
        changed = true;
      } else if (op.op === 'insert' || op.op === 'replace') {
        changed = this.look(transcript, op.entry.id) || changed;
      } else if (op.op === 'patch' && op.kind === 'tool_call' && op.fields.permission) {
        changed = this.look(transcript, op.id) || changed;
      }
    }
    return changed;
  }

  private look(transcript: Transcript, id: EntryId): boolean {
    const entry = transcript.entries.get(id);
    if (!entry || !isWaitingForAnswer(entry)) return this.asking.delete(id);
    // A second request of one call also counts as a change.
    this.asking.add(id);
    return true;
  }
}
