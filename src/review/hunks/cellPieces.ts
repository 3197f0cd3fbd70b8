import { diffLines } from '../../shared/diff/lineDiff';
import { readNotebook, type TextCell, type TextNotebook } from './notebookText';

/** Cells `oldStart` to `oldEnd` became cells `newStart` to `newEnd`. Ends are exclusive. */
export interface CellPiece {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * Returns the differences between two lists of cells. Cells match by id, or by content if they have none. If equal numbers of unmatched
 * cells remain between two matches, they are paired in order, unless the kinds or ids of a pair differ.
 */
export function cellPieces(before: readonly TextCell[], after: readonly TextCell[]): CellPiece[] {
  const pieces: CellPiece[] = [];
  const single = (oldStart: number, newStart: number) =>
    pieces.push({ oldStart, oldEnd: oldStart + 1, newStart, newEnd: newStart + 1 });
  /** Compares cells that are paired. */
  const together = (oldFrom: number, newFrom: number, count: number) => {
    for (let at = 0; at < count; at++) {
      if (before[oldFrom + at]?.json !== after[newFrom + at]?.json) single(oldFrom + at, newFrom + at);
    }
  };
  let [oldAt, newAt] = [0, 0];
  for (const hunk of diffLines(before.map(nameOf), after.map(nameOf))) {
    together(oldAt, newAt, hunk.oldStart - oldAt);
    const [gone, come] = [hunk.oldEnd - hunk.oldStart, hunk.newEnd - hunk.newStart];
    const isPaired = gone === come && Array.from({ length: gone }).every((_, at) => pairs(hunk, at));
    if (isPaired) together(hunk.oldStart, hunk.newStart, gone);
    else pieces.push(hunk);
    [oldAt, newAt] = [hunk.oldEnd, hunk.newEnd];
  }
  together(oldAt, newAt, before.length - oldAt);
  return pieces;

  function pairs({ oldStart, newStart }: CellPiece, at: number): boolean {
    const [one, other] = [before[oldStart + at], after[newStart + at]];
    return one?.kind === other?.kind && (one?.id === undefined || other?.id === undefined);
  }
}

function nameOf({ id, json }: TextCell): string {
  return id === undefined ? json : `#${id}`;
}

/** A part of two lists of lines: one cell before and after, the lines around the cells, or inserted or deleted cells. */
export interface LinePart extends CellPiece {
  /** Whether to compare the two sides line by line. If false, one side replaces the other. */
  readonly isPair: boolean;
}

/**
 * Cuts the lines of two notebooks so that each cell is compared only with itself. Lines of different cells look alike, and matching them
 * would join the changes of several cells. Returns undefined if one text isn't a notebook with each cell on its own lines.
 */
export function notebookParts(oldLines: readonly string[], newLines: readonly string[]): LinePart[] | undefined {
  const [before, after] = [cellsOn(oldLines), cellsOn(newLines)];
  if (!before || !after) return undefined;
  const parts: LinePart[] = [];
  let [oldAt, newAt] = [0, 0];
  const upTo = (oldEnd: number, newEnd: number, isPair: boolean) => {
    if (oldAt < oldEnd || newAt < newEnd) parts.push({ oldStart: oldAt, oldEnd, newStart: newAt, newEnd, isPair });
    [oldAt, newAt] = [oldEnd, newEnd];
  };
  let [oldCell, newCell] = [0, 0];
  const pairs = (until: number) => {
    for (; oldCell < until; oldCell++, newCell++) {
      upTo(startOf(before, oldCell), startOf(after, newCell), true);
      upTo(startOf(before, oldCell + 1), startOf(after, newCell + 1), true);
    }
  };
  for (const piece of cellPieces(before.cells, after.cells)) {
    pairs(piece.oldStart);
    upTo(startOf(before, oldCell), startOf(after, newCell), true);
    const isPair = piece.oldEnd - piece.oldStart === 1 && piece.newEnd - piece.newStart === 1;
    [oldCell, newCell] = [piece.oldEnd, piece.newEnd];
    upTo(startOf(before, oldCell), startOf(after, newCell), isPair);
  }
  pairs(before.cells.length);
  upTo(oldLines.length, newLines.length, true);
  return parts;
}

function cellsOn(lines: readonly string[]): TextNotebook | undefined {
  if (lines[0]?.startsWith('{') !== true || !lines.some((line) => line.includes('"cells"'))) return undefined;
  const found = readNotebook(lines.join(''));
  const { cells = [] } = found ?? {};
  const isApart = cells.every(({ end }, index) => end <= (cells[index + 1]?.start ?? Infinity));
  return cells.length > 0 && isApart ? found : undefined;
}

/** Returns the line on which a cell begins, or the line after the last cell. */
function startOf({ cells }: TextNotebook, index: number): number {
  return cells[index]?.start ?? cells.at(-1)?.end ?? 0;
}
