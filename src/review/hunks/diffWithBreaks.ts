import { notebookParts } from './cellPieces';
import { withoutBreak } from '../files/fileState';
import { changedSpan, diffLines, shiftHunk, type LineHunk } from '../../shared/diff/lineDiff';

/**
 * Returns the changes between two texts whose lines include their breaks. Lines match by their text, so a different break doesn't tear
 * corresponding lines apart; matched lines with different breaks are changes, too. Changes are in order, never touch, and stay the same
 * when each is compared by itself.
 */
export function diffWithBreaks(oldLines: readonly string[], newLines: readonly string[]): LineHunk[] {
  const changes = compareParts(oldLines, newLines) ?? compare(oldLines, newLines);
  return changes.flatMap((change) => {
    const { oldStart, oldEnd, newStart, newEnd, hasOtherBreaks } = change;
    const isAll = oldEnd - oldStart === oldLines.length && newEnd - newStart === newLines.length;
    if (!hasOtherBreaks || isAll) return [{ oldStart, oldEnd, newStart, newEnd }];
    // Without its context, a line may match an equal line that has the same break.
    return diffWithBreaks(oldLines.slice(oldStart, oldEnd), newLines.slice(newStart, newEnd)).map((part) =>
      shiftHunk(part, oldStart, newStart),
    );
  });
}

/** A change, and whether it includes lines with equal text but different breaks. */
interface Change extends LineHunk {
  readonly hasOtherBreaks: boolean;
}

/** Compares notebooks cell by cell. */
function compareParts(oldLines: readonly string[], newLines: readonly string[]): Change[] | undefined {
  const parts = notebookParts(oldLines, newLines);
  if (!parts) return undefined;
  const changes: Change[] = [];
  for (const { oldStart, oldEnd, newStart, newEnd, isPair } of parts) {
    const found = isPair
      ? compare(oldLines.slice(oldStart, oldEnd), newLines.slice(newStart, newEnd))
      : [{ oldStart: 0, oldEnd: oldEnd - oldStart, newStart: 0, newEnd: newEnd - newStart, hasOtherBreaks: false }];
    for (const change of found) add(changes, shiftHunk(change, oldStart, newStart));
  }
  return changes;
}

function compare(oldLines: readonly string[], newLines: readonly string[]): Change[] {
  const { oldStart: start, oldEnd, newEnd } = changedSpan(oldLines, newLines);
  const [before, after] = [oldLines.slice(start, oldEnd), newLines.slice(start, newEnd)];
  // Most texts have one kind of break, so there is nothing to strip.
  const isPlain = haveSameBreaks(before, after);
  const parts = isPlain ? diffLines(before, after) : diffLines(before.map(withoutBreak), after.map(withoutBreak));
  const changes: Change[] = [];
  let [oldAt, newAt] = [start, start];
  const matchUpTo = (limit: number) => {
    for (; oldAt < limit; oldAt++, newAt++) {
      if (oldLines[oldAt] !== newLines[newAt]) {
        const next = { oldStart: oldAt, oldEnd: oldAt + 1, newStart: newAt, newEnd: newAt + 1, hasOtherBreaks: true };
        add(changes, next);
      }
    }
  };
  for (const part of parts) {
    if (!isPlain) matchUpTo(start + part.oldStart);
    [oldAt, newAt] = [start + part.oldEnd, start + part.newEnd];
    add(changes, {
      oldStart: start + part.oldStart,
      oldEnd: oldAt,
      newStart: start + part.newStart,
      newEnd: newAt,
      hasOtherBreaks: false,
    });
  }
  if (!isPlain) matchUpTo(oldEnd);
  return changes;
}

/** Returns whether all lines end with the same break. */
function haveSameBreaks(...lists: readonly (readonly string[])[]): boolean {
  const kind = breakOf(lists.find((lines) => lines.length > 0)?.[0] ?? '');
  return lists.every((lines) => lines.every((line) => breakOf(line) === kind));
}

/** Returns 0 for no break, 1 for a line feed, 2 for a carriage return, and 3 for both. */
function breakOf(line: string): number {
  const last = line.charCodeAt(line.length - 1);
  if (last === 13) return 2;
  if (last !== 10) return 0;
  return line.charCodeAt(line.length - 2) === 13 ? 3 : 1;
}

/** Adds a change, or extends the last change if they touch. */
function add(changes: Change[], next: Change): void {
  const last = changes.at(-1);
  if (last?.oldEnd !== next.oldStart || last.newEnd !== next.newStart) {
    changes.push(next);
    return;
  }
  const { oldEnd, newEnd } = next;
  changes[changes.length - 1] = {
    ...last,
    oldEnd,
    newEnd,
    hasOtherBreaks: last.hasOtherBreaks || next.hasOtherBreaks,
  };
}
