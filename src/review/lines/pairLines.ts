import type { LineHunk } from '../../shared/diff/lineDiff';

/** Maximum number of consecutive hunks to join. */
const maxJoined = 4;

/**
 * Joins hunks so that each line has one change. If lines changed and one of them is blank, a comparison may match the wrong blank lines and
 * report the text between them as deleted in one place and inserted in another, for example after trimming `'  ', 'x  ', ''`. Without
 * joining, a merge could duplicate lines.
 */
export function pairLines(old: readonly string[], now: readonly string[], hunks: readonly LineHunk[]): LineHunk[] {
  const result: LineHunk[] = [];
  for (let index = 0; index < hunks.length; index++) {
    const first = hunks[index];
    if (first === undefined) break;
    const joined = lastJoinable(old, now, hunks, index);
    if (joined === undefined) {
      result.push(first);
      continue;
    }
    const by = first.newStart - first.oldStart;
    for (let at = first.oldStart; at < joined.oldEnd; at++) {
      if (old[at] === now[at + by]) continue;
      result.push({ oldStart: at, oldEnd: at + 1, newStart: at + by, newEnd: at + by + 1 });
    }
    index = joined.last;
  }
  return result;
}

/** Returns the last of the hunks that form one change with this one, if any. */
function lastJoinable(
  old: readonly string[],
  now: readonly string[],
  hunks: readonly LineHunk[],
  index: number,
): { readonly last: number; readonly oldEnd: number } | undefined {
  const first = hunks[index];
  if (first === undefined || first.oldEnd - first.oldStart === first.newEnd - first.newStart) return undefined;
  const by = first.newStart - first.oldStart;
  let end = first.oldEnd;
  for (let last = index + 1; last < Math.min(hunks.length, index + maxJoined); last++) {
    const next = hunks[last];
    if (next === undefined || old.slice(end, next.oldStart).some(isSignificant)) return undefined;
    end = next.oldEnd;
    if (next.newEnd - next.oldEnd !== by) continue;
    for (let at = first.oldStart; at < end; at++) {
      const line = old[at] ?? '';
      if (isSignificant(line) && line.trim() === now[at + by]?.trim()) return { last, oldEnd: end };
    }
    return undefined;
  }
  return undefined;
}

/** Returns whether a line is distinctive. Blank lines and braces occur in many places. */
export function isSignificant(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
