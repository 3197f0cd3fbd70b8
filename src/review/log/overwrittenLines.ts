import { spliceLines, type BaseSplice, type ChangedText, type ReviewedText } from './changeText';
import { isOpaque, linesWithBreaks, onlyBreak, withoutBreak } from '../files/fileState';
import { user, type Hunk } from '../hunks/hunk';
import type { LineHunk } from '../../shared/diff/lineDiff';

/**
 * Adds the user's lines that an agent removes from pending changes to the base, because they are nowhere else: an undo brings them back,
 * and the review shows them as removed. `changes` lead from the current text to `after`. Returns undefined if no such line is removed. A
 * text reviewed as a whole has no lines of its own unless an agent created it.
 */
export function keepOverwritten(
  before: ReviewedText,
  after: readonly string[],
  changes: readonly LineHunk[],
  isWhole: boolean,
): ChangedText | undefined {
  const { base, current, hunks } = before;
  if (isOpaque(base) || isOpaque(current) || (isWhole && base.length > 0)) return undefined;
  const removed = removedLines(current, after, changes);
  const isOwn = ({ start, lineAuthors }: Hunk, line: number) => lineAuthors[line - start]?.kind === 'user';
  const isLost = (hunk: Hunk, line: number) => isOwn(hunk, line) && removed.has(line);
  if (!hunks.some((hunk) => linesIn(hunk).some((line) => isLost(hunk, line)))) return undefined;
  // Undoing the creation of a file keeps all of the user's lines.
  const choose = base.length === 0 ? isOwn : isLost;
  const splices: BaseSplice[] = [];
  let gain = 0;
  const moved = hunks.map((hunk): Hunk => {
    const own = linesIn(hunk).flatMap((line) => (choose(hunk, line) ? [current[line] ?? ''] : []));
    const lines = base.length > 0 ? withBreaks(own, current) : isWhole ? own : linesWithBreaks(own.join(''));
    const start = own.length === 0 ? hunk.baseEnd : placeIn(base, hunk);
    if (own.length > 0) splices.push({ start, end: start, lines, lineAuthors: lines.map(() => user) });
    const baseStart = hunk.baseStart + gain;
    if (own.length > 0) gain += lines.length;
    return { ...hunk, baseStart, baseEnd: hunk.baseEnd + gain };
  });
  return { base: spliceLines(base, splices), current, hunks: moved, splices };
}

/** Returns the lines that the changes remove. A line with another break is still there. */
function removedLines(
  current: readonly string[],
  after: readonly string[],
  changes: readonly LineHunk[],
): ReadonlySet<number> {
  const removed = new Set<number>();
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    for (let line = oldStart; line < oldEnd; line++) {
      const text = withoutBreak(current[line] ?? '');
      const at = newStart + line - oldStart;
      if (text !== '' && (at >= newEnd || withoutBreak(after[at] ?? '') !== text)) removed.add(line);
    }
  }
  return removed;
}

function linesIn({ start, end }: Hunk): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** Returns where lines with breaks can be added to a hunk's base: at its end, unless a line without a break is there. */
function placeIn(base: readonly string[], { baseStart, baseEnd }: Hunk): number {
  if (baseEnd < base.length) return baseEnd;
  return base.at(-1) === '' && baseEnd > baseStart ? baseEnd - 1 : baseStart;
}

function withBreaks(lines: readonly string[], all: readonly string[]): string[] {
  const lineBreak = onlyBreak(all) ?? '\n';
  return lines.map((line) => (withoutBreak(line) === line ? line + lineBreak : line));
}
