import { isSameState, type FileState } from '../../../review/files/fileState';
import { isOfTurn } from '../../../review/hunks/hunk';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { reportedBase } from '../../../review/files/reportedBase';
import { reportedDiffs, type SessionTurn } from './toolCallFiles';

/** Reconstructs the earlier content of an unrecorded file from the turn's tool calls, as far as possible. */
export function reportedBaseOf(turn: SessionTurn, path: string, present: FileState): FileState | undefined {
  if (present.kind !== 'text') return undefined;
  const base = reportedBase(present.text, reportedDiffs(turn, path));
  // Tool calls don't report permission bits or byte order marks, so the current ones don't count as changed.
  return base?.kind === 'text' ? { ...present, text: base.text } : base;
}

/** Corrects a reconstructed base when more tool calls arrive, as long as only the agent has written the file. */
export function correctReportedBase(
  log: ReviewLog,
  uri: string,
  turn: SessionTurn,
  path: string,
  present: FileState,
): void {
  const file = log.file(uri);
  const { guess, text } = file?.snapshot ?? {};
  if (!file || !guess || guess.join('') !== text?.base.join('') || !isSameState(file.current, present)) return;
  const isOurs = file.hunks.every(({ authors }) =>
    authors.every((author) => isOfTurn([author], turn.session.key, turn.turn)),
  );
  const base = isOurs ? reportedBaseOf(turn, path, present) : undefined;
  if (base && !isSameState(base, file.base)) log.correctBase(uri, base);
}
