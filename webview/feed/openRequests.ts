import type { EntryId } from '../../src/shared/ids';
import { isWaitingForAnswer } from '../../src/shared/openQuestion';
import type { TranscriptOp } from '../../src/shared/ops';
import type { Transcript } from '../../src/shared/transcript';

/** Which entries of the shown transcript ask something right now, kept up with the ops instead of searched for. */
export class OpenRequests {
  private readonly asking = new Set<EntryId>();

  get count(): number {
    return this.asking.size;
  }

  /** Starts over with a whole transcript. */
  reset(transcript: Transcript | undefined): void {
    this.asking.clear();
    for (const entry of transcript?.entries.values() ?? []) {
      if (isWaitingForAnswer(entry)) this.asking.add(entry.id);
    }
  }

  /** Follows ops that `transcript` already holds; returns whether a question was opened or settled. */
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
    // A second question of one call counts as news, too.
    this.asking.add(id);
    return true;
  }
}
