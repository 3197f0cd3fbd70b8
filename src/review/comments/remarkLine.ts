import { diffLines } from '../../shared/diff/lineDiff';
import { linePairs } from '../../shared/diff/linePairs';

/** The lines at a remark when it was placed, by which its place is found again after a reload. */
export interface LineAnchor {
  readonly before: readonly string[];
  readonly line: string;
  readonly after: readonly string[];
}

/** How many lines around a remark are remembered. */
const around = 3;

/** Longer lines are cut, because anchors are stored. */
const longestLine = 400;

export function anchorAt(lines: readonly string[], line: number): LineAnchor {
  const cut = (text: string) => text.slice(0, longestLine);
  return {
    before: lines.slice(Math.max(0, line - around), line).map(cut),
    line: cut(lines[line] ?? ''),
    after: lines.slice(line + 1, line + 1 + around).map(cut),
  };
}

/** Returns where a line is after its file has changed. A line that was removed moves to what has replaced it. Lines count from 0. */
export function lineAfter(old: readonly string[], now: readonly string[], line: number): number {
  let gain = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(old, now)) {
    if (oldStart > line) break;
    if (line < oldEnd) {
      const pair = linePairs(old.slice(oldStart, oldEnd), now.slice(newStart, newEnd)).get(line - oldStart);
      const inside = pair ?? Math.min(line - oldStart, Math.max(0, newEnd - newStart - 1));
      return clamp(newStart + inside, now);
    }
    gain = newEnd - oldEnd;
  }
  return clamp(line + gain, now);
}

/** Returns the line that fits an anchor best, the nearest one to `near` of those. Without any that fits, it is `near`. */
export function lineOfAnchor(lines: readonly string[], anchor: LineAnchor, near: number): number {
  let best = { line: clamp(near, lines), fit: 0, distance: 0 };
  for (const line of lines.keys()) {
    const fit = fitOf(lines, anchor, line);
    const distance = Math.abs(line - near);
    if (fit > best.fit || (fit === best.fit && fit > 0 && distance < best.distance)) best = { line, fit, distance };
  }
  return best.line;
}

/** Counts the lines that are the same around a line. The line itself counts more than those around it, if it isn't blank. */
function fitOf(lines: readonly string[], anchor: LineAnchor, line: number): number {
  const isSame = (at: number, text: string) => text.trim() !== '' && lines[at]?.slice(0, longestLine) === text;
  const count = (texts: readonly string[], from: number) => texts.filter((text, at) => isSame(from + at, text)).length;
  const beside = count(anchor.before, line - anchor.before.length) + count(anchor.after, line + 1);
  return beside + (isSame(line, anchor.line) ? around + 1 : 0);
}

function clamp(line: number, lines: readonly string[]): number {
  return Math.max(0, Math.min(line, lines.length - 1));
}
