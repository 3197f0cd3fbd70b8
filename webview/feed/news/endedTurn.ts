import type { TurnFiles } from '../../../src/shared/pages/messages';
import type { RedoOffer, ReviewFile } from '../../../src/shared/changes/review';
import type { Transcript } from '../../../src/shared/transcript/transcript';
import type { TurnSummary } from '../../../src/shared/amounts/turnSummary';
import { turnWork } from '../../entries/view/turnWork';

/** Knows whether the end of the last turn shows its changes, so that the tray doesn't say them again. */
export class EndedTurn {
  private known:
    | { readonly summary: TurnSummary; readonly recorded: TurnFiles | undefined; readonly paths: readonly string[] }
    | undefined;

  /** Whether the row at the end of the last turn stands for all of these files. `recordedOf` returns what a turn changed. */
  shows(
    transcript: Transcript,
    files: readonly ReviewFile[],
    recordedOf: (turn: number) => TurnFiles | undefined,
    hasChanges: (path: string) => boolean,
  ): boolean {
    if (files.length === 0 || transcript.view.activity.state !== 'idle') return false;
    const end = endOf(transcript);
    if (!end) return false;
    // A file that can run programs is warned about in the tray only.
    const isOfTurn = ({ turns, guarded }: ReviewFile) =>
      guarded === undefined && turns.every(({ turn }) => turn === end.turn);
    if (!files.every(isOfTurn)) return false;
    const recorded = recordedOf(end.turn);
    if (this.known?.summary !== end.summary || this.known.recorded !== recorded) {
      this.known = { summary: end.summary, recorded, paths: turnWork(transcript, end.turn, recorded).files };
    }
    return this.known.paths.some(hasChanges);
  }

  /** Whether the row at the end of the last turn offers to redo what the user undid of it. */
  redoes(
    transcript: Transcript,
    { turn }: RedoOffer,
    recordedOf: (turn: number) => TurnFiles | undefined,
    hasChanges: (path: string) => boolean,
  ): boolean {
    if (transcript.view.activity.state !== 'idle' || endOf(transcript)?.turn !== turn) return false;
    const { fileCount, files } = turnWork(transcript, turn, recordedOf(turn));
    return fileCount > 0 && !files.some(hasChanges);
  }
}

/** Returns the last turn with its summary, if it is over. */
function endOf({ order, entries }: Transcript): { readonly turn: number; readonly summary: TurnSummary } | undefined {
  let last: number | undefined;
  for (let at = order.length - 1; at >= 0; at--) {
    const id = order[at];
    const entry = id && entries.get(id);
    if (!entry) continue;
    last ??= entry.turn;
    if (entry.turn !== last) return undefined;
    if (entry.turnSummary) return { turn: last, summary: entry.turnSummary };
  }
  return undefined;
}
