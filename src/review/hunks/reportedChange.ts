import { diffWithBreaks } from './diffWithBreaks';
import { shiftHunk, type LineHunk } from '../../shared/diff/lineDiff';
import { applyLineEdits } from '../lines/minimalEdits';
import type { LineEdit } from '../lines/rebase';

/** Lines `startLine` to `endLine` of the current text became `newLines`. Lines count from 0, and `endLine` is exclusive. */
export interface LineChange {
  readonly startLine: number;
  readonly endLine: number;
  /** The lines with their breaks. Only the last line of the file has none. */
  readonly newLines: readonly string[];
}

/** The text after the reported changes, and its actual differences. */
export interface ReportedChange {
  readonly lines: readonly string[];
  readonly changes: readonly LineHunk[];
}

/** Converts changes to edits, in order. */
export function editsOf(changes: readonly LineChange[]): LineEdit[] {
  return changes
    .map(({ startLine, endLine, newLines }) => ({ start: startLine, end: endLine, lines: newLines }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

/**
 * Applies reported edits and compares only inside their ranges, so that a keystroke costs the same in every file. Returns undefined if a
 * line lacks its break.
 */
export function toldChange(current: readonly string[], edits: readonly LineEdit[]): ReportedChange | undefined {
  if (!edits.every((edit) => hasBreaks(edit, current.length))) return undefined;
  const lines = applyLineEdits(current, edits);
  let gain = 0;
  const changes = edits.flatMap(({ start, end, lines: newLines }) => {
    const newStart = start + gain;
    gain += newLines.length - (end - start);
    return diffWithBreaks(current.slice(start, end), newLines).map((part) => shiftHunk(part, start, newStart));
  });
  return { lines, changes: joinTouching(changes) };
}

function hasBreaks({ end, lines }: LineEdit, count: number): boolean {
  const inside = end >= count ? lines.slice(0, -1) : lines;
  return inside.every((line) => /[\r\n]$/.test(line)) && !(end >= count && lines.length === 0);
}

/** Joins adjacent edits into one change. */
function joinTouching(changes: readonly LineHunk[]): LineHunk[] {
  const joined: LineHunk[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (last === undefined || last.oldEnd < change.oldStart) joined.push(change);
    else joined[joined.length - 1] = { ...last, oldEnd: change.oldEnd, newEnd: change.newEnd };
  }
  return joined;
}
