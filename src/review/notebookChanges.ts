import { cellPieces } from './cellPieces';
import type { ReviewedText } from './changeText';
import type { Hunk } from './hunk';
import { readNotebook, type TextCell } from './notebookText';

/** What waits for the user in one cell of a notebook. */
export interface CellChange {
  readonly kind: 'changed' | 'added' | 'removed';
  /** Of the cell in the present notebook; a removed one stood before that cell, which may be one too many. */
  readonly index: number;
  /** The cell as the user last accepted it; not there for an added one. */
  readonly base?: TextCell;
  /** Its parts of the file's text. Two cells can share one: then they are kept or undone together. */
  readonly hunks: readonly Hunk[];
}

/** The present cells of a notebook under review and what changed in them. */
export interface ReviewedNotebook {
  readonly cells: readonly TextCell[];
  readonly changes: readonly CellChange[];
}

const read = new WeakMap<ReviewedText, ReviewedNotebook | undefined>();

/** What an agent changed cell by cell; undefined for a text that is no notebook now. */
export function reviewNotebook(text: ReviewedText): ReviewedNotebook | undefined {
  if (!read.has(text)) read.set(text, compare(text));
  return read.get(text);
}

function compare(text: ReviewedText): ReviewedNotebook | undefined {
  const now = readNotebook(text.current.join(''));
  if (!now) return undefined;
  // A notebook that the user did not have has no cells that they know.
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

/** Whether lines touch those of a cell; no lines at all are between two of them. */
function isIn(start: number, end: number, cell: TextCell): boolean {
  return start === end ? cell.start < start && start < cell.end : start < cell.end && end > cell.start;
}
