import { cellPieces } from '../hunks/cellPieces';
import type { ReviewedText } from '../log/changeText';
import type { Hunk } from '../hunks/hunk';
import { readNotebook, type TextCell } from '../hunks/notebookText';

/** A pending change in one cell of a notebook. */
export interface CellChange {
  readonly kind: 'changed' | 'added' | 'removed';
  /**
   * The index of the cell in the current notebook. For a removed cell, the index of the cell after it, which can equal the number of cells.
   */
  readonly index: number;
  /** The last kept version of the cell. Absent for an added cell. */
  readonly base?: TextCell;
  /** The cell's hunks in the text of the file. If two cells share a hunk, they are kept or undone together. */
  readonly hunks: readonly Hunk[];
}

/** The current cells of a notebook under review and their changes. */
export interface ReviewedNotebook {
  readonly cells: readonly TextCell[];
  readonly changes: readonly CellChange[];
}

const read = new WeakMap<ReviewedText, ReviewedNotebook | undefined>();

/** Returns the pending changes cell by cell, or undefined if the current text isn't a notebook. */
export function reviewNotebook(text: ReviewedText): ReviewedNotebook | undefined {
  if (!read.has(text)) read.set(text, compare(text));
  return read.get(text);
}

function compare(text: ReviewedText): ReviewedNotebook | undefined {
  const now = readNotebook(text.current.join(''));
  if (!now) return undefined;
  // If the file was no notebook in its last kept version, there are no cells to compare with.
  const then = readNotebook(text.base.join(''))?.cells ?? [];
  const changes = cellPieces(then, now.cells).flatMap(({ oldStart, oldEnd, newStart, newEnd }): CellChange[] => {
    const isChanged = oldEnd - oldStart === newEnd - newStart;
    const here = now.cells.slice(newStart, newEnd).map((cell, at): CellChange => {
      const base = isChanged ? then[oldStart + at] : undefined;
      const hunks = text.hunks.filter(({ start, end }) => isIn(start, end, cell));
      return { kind: base ? 'changed' : 'added', index: newStart + at, hunks, ...(base && { base }) };
    });
    if (isChanged) return here;
    const gone = then.slice(oldStart, oldEnd).map((base): CellChange => {
      const hunks = text.hunks.filter(({ baseStart, baseEnd }) => isIn(baseStart, baseEnd, base));
      return { kind: 'removed', index: newEnd, base, hunks };
    });
    return [...here, ...gone];
  });
  return { cells: now.cells, changes: changes.filter(({ hunks }) => hunks.length > 0) };
}

/** Returns whether a range of lines touches a cell's lines. An empty range is between two lines. */
function isIn(start: number, end: number, cell: TextCell): boolean {
  return start === end ? cell.start < start && start < cell.end : start < cell.end && end > cell.start;
}
