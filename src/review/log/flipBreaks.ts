import type { ReviewedText } from './changeText';
import { onlyBreak, withBreak } from '../files/fileState';
import type { NextHunkId } from '../hunks/hunk';
import type { Kept, KeptHunk } from './keptHunks';
import { isSameButLineBreaks } from '../lines/lines';
import { refineRegions, regionOf } from '../hunks/refineHunks';

/**
 * Applies the user's choice of a line break for the whole file to the base as well, so that hunks stay the same. Returns undefined if
 * `lines` differ in anything else or have different breaks.
 */
export function flipBreaks(
  text: ReviewedText,
  kept: readonly KeptHunk[],
  lines: readonly string[],
  nextId: NextHunkId,
): Kept | undefined {
  // Called at every keystroke, so it returns at the first line that differs.
  if (lines.length !== text.current.length || text.base.length === 0) return undefined;
  const first = lines.findIndex((line, index) => line !== text.current[index]);
  if (!isSameButLineBreaks(lines[first] ?? '', text.current[first] ?? '')) return undefined;
  const lineBreak = onlyBreak(lines);
  if (lineBreak === undefined || !lines.every((line, index) => isSameButLineBreaks(line, text.current[index] ?? ''))) {
    return undefined;
  }
  const base = withBreak(text.base, lineBreak);
  const regions = text.hunks.map((hunk) => regionOf(hunk, true));
  return {
    text: { base, current: lines, hunks: refineRegions(base, lines, regions, nextId), splices: [] },
    kept: kept.map((one) => ({ ...one, baseLines: withBreak(one.baseLines, lineBreak) })),
  };
}
