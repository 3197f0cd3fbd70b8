import { diffLines, type LineHunk } from './lineDiff';

/** How many unchanged lines to show around a change. */
const around = 3;

/** Returns the difference between two texts as a unified diff without file names. `line` is where both texts begin. */
export function diffText(oldText: string, newText: string, line = 1): string {
  const oldLines = linesOf(oldText);
  const newLines = linesOf(newText);
  const first = Math.max(1, line) - 1;
  return groups(diffLines(oldLines, newLines))
    .map((group) => hunkText(group, oldLines, newLines, first))
    .join('\n');
}

/** Joins hunks whose surroundings touch. */
function groups(hunks: readonly LineHunk[]): LineHunk[][] {
  const result: LineHunk[][] = [];
  for (const hunk of hunks) {
    const last = result.at(-1)?.at(-1);
    if (last && hunk.oldStart - last.oldEnd <= 2 * around) result.at(-1)?.push(hunk);
    else result.push([hunk]);
  }
  return result;
}

function hunkText(
  group: readonly LineHunk[],
  oldLines: readonly string[],
  newLines: readonly string[],
  first: number,
): string {
  const [start, end] = [group[0], group.at(-1)];
  if (!start || !end) return '';
  const before = Math.min(around, start.oldStart);
  const after = Math.min(around, oldLines.length - end.oldEnd);
  const lines: string[] = [];
  let at = start.oldStart - before;
  const unchanged = (to: number) => lines.push(...oldLines.slice(at, to).map((text) => ` ${text}`));
  for (const { oldStart, oldEnd, newStart, newEnd } of group) {
    unchanged(oldStart);
    lines.push(...oldLines.slice(oldStart, oldEnd).map((text) => `-${text}`));
    lines.push(...newLines.slice(newStart, newEnd).map((text) => `+${text}`));
    at = oldEnd;
  }
  unchanged(end.oldEnd + after);
  const range = (from: number, to: number) => `${first + from + (to > from ? 1 : 0)},${to - from}`;
  const oldRange = range(start.oldStart - before, end.oldEnd + after);
  const newRange = range(start.newStart - before, end.newEnd + after);
  return [`@@ -${oldRange} +${newRange} @@`, ...lines].join('\n');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split(/\r?\n/);
}
