import { diffLines } from '../../shared/diff/lineDiff';
import { isSameButLineBreaks, splitLines } from './lines';

/** The range of lines read, counted as in `cutLines`. */
export interface ReadRange {
  readonly line?: number | undefined;
  readonly limit?: number | undefined;
}

/**
 * Returns the text a reader knows after reading some lines of `current`: those lines as they are now, and all others as in `known`. If
 * unread lines counted as known, the reader's next write would appear to revert changes there.
 */
export function knownAfterReading(known: string, current: string, { line = 1, limit = Infinity }: ReadRange): string {
  if (isSameButLineBreaks(known, current)) return current;
  const [old, now] = [splitLines(known), splitLines(current)];
  const start = Math.max(1, line) - 1;
  const end = start + limit;
  if (start === 0 && end >= now.length) return current;
  const isRead = (at: number) => at >= start && at < end;
  const result: string[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(old, now)) {
    for (; at < oldStart; at++) result.push(old[at] ?? '');
    at = oldEnd;
    const size = newEnd - newStart;
    if (size === oldEnd - oldStart) {
      for (let index = 0; index < size; index++) {
        const text = isRead(newStart + index) ? now[newStart + index] : old[oldStart + index];
        if (text !== undefined) result.push(text);
      }
    } else if (size === 0 ? isRead(newStart - 1) && isRead(newStart) : newStart < end && newEnd > start) {
      for (let index = newStart; index < newEnd; index++) if (isRead(index)) result.push(now[index] ?? '');
    } else {
      for (let index = oldStart; index < oldEnd; index++) result.push(old[index] ?? '');
    }
  }
  for (; at < old.length; at++) result.push(old[at] ?? '');
  return result.join('\n');
}
