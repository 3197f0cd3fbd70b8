/** A replacement of text. Lines count from 0. */
export interface LineEdit {
  readonly start: number;
  /** The last line of the replaced text. */
  readonly end: number;
  /** The number of line breaks in the new text. */
  readonly breaks: number;
}

/** Returns where a line is after edits that were made together. A line inside a replaced text moves to its start. */
export function movedLine(line: number, edits: readonly LineEdit[]): number {
  let moved = line;
  for (const { start, end, breaks } of edits) {
    if (end < line) moved += breaks - (end - start);
    else if (start < line) moved -= line - start;
  }
  return Math.max(0, moved);
}
