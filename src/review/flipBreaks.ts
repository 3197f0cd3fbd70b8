import type { ReviewedText } from './changeText';
import { onlyBreak, withBreak } from './fileState';
import type { NextHunkId } from './hunk';
import type { Kept, KeptHunk } from './keptHunks';
import { isSameButLineBreaks } from './lines';
import { refineRegions, regionOf } from './refineHunks';

/**
 * What the user does by choosing another line break for a whole file: the base gets it, too, so that hunks stay what they
 * are. Undefined when `lines` differ in anything else, or do not all end the same way.
 */
export function flipBreaks(
  text: ReviewedText,
  kept: readonly KeptHunk[],
  lines: readonly string[],
  nextId: NextHunkId,
): Kept | undefined {
  // Seen at the first line that differs, since this is asked at every keystroke.
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
