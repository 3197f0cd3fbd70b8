import { isSameState, type FileState } from '../../review/fileState';
import { isOfTurn } from '../../review/hunk';
import type { ReviewLog } from '../../review/reviewLog';
import { reportedBase } from '../../review/reportedBase';
import { reportedDiffs, type SessionTurn } from './toolCallFiles';

/** What a file that nobody recorded held before a turn, as far as the turn's tool calls tell. */
export function reportedBaseOf(turn: SessionTurn, path: string, present: FileState): FileState | undefined {
  if (present.kind !== 'text') return undefined;
  const base = reportedBase(present.text, reportedDiffs(turn, path));
  // Permission bits and byte order mark are told by nobody: those that it has now are nobody's change.
  return base?.kind === 'text' ? { ...present, text: base.text } : base;
}

/** Mends a base that was worked out from some of a turn's tool calls when others come late, while only the agent has written. */
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
