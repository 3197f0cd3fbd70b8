import { diffLines, type LineHunk } from '../shared/diff/lineDiff';
import type { TrySide } from './triedFiles';

/** The lines of one side of a difference. `end` is exclusive, and lines count from 0. */
interface Lines {
  readonly start: number;
  readonly end: number;
  /** The changes of this side since the base, by their position in its list. Empty if it left these lines as they were. */
  readonly changes: readonly number[];
}

/** A place where two tries of a file differ. It covers whole changes of both, so each side can be taken by itself. */
export interface Difference {
  /** The lines of the base that both replace. */
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly left: Lines;
  readonly right: Lines;
}

/** The lines of a file with their breaks, one character for each byte. An absent file has none. */
export function linesToCompare(side: TrySide): readonly string[] {
  if (side.kind !== 'text') return [];
  return (
    Buffer.from(side.bytes)
      .toString('latin1')
      .match(/[^\n]*\n|[^\n]+$/g) ?? []
  );
}

/** Returns a line of `linesToCompare` as text. */
export function textOfLine(line: string): string {
  return Buffer.from(line, 'latin1').toString();
}

/** Returns where two tries differ, in order. Changes of both that overlap or touch are one difference. */
export function differencesOf(
  base: readonly string[],
  left: readonly string[],
  right: readonly string[],
): readonly Difference[] {
  const sides = { left: diffLines(base, left), right: diffLines(base, right) };
  const all = [
    ...sides.left.map((hunk, at) => ({ side: 'left' as const, hunk, at })),
    ...sides.right.map((hunk, at) => ({ side: 'right' as const, hunk, at })),
  ].sort((a, b) => a.hunk.oldStart - b.hunk.oldStart || a.hunk.oldEnd - b.hunk.oldEnd);
  const groups: { start: number; end: number; left: number[]; right: number[] }[] = [];
  for (const { side, hunk, at } of all) {
    let group = groups.at(-1);
    if (!group || hunk.oldStart > group.end) {
      group = { start: hunk.oldStart, end: hunk.oldEnd, left: [], right: [] };
      groups.push(group);
    }
    group.end = Math.max(group.end, hunk.oldEnd);
    group[side].push(at);
  }
  return groups
    .map(({ start, end, left: ofLeft, right: ofRight }) => ({
      baseStart: start,
      baseEnd: end,
      left: linesOf(sides.left, ofLeft, start, end),
      right: linesOf(sides.right, ofRight, start, end),
    }))
    .filter((one) => !isSame(left.slice(one.left.start, one.left.end), right.slice(one.right.start, one.right.end)));
}

/** The lines of a side that are in place of the base's. */
function linesOf(hunks: readonly LineHunk[], changes: readonly number[], baseStart: number, baseEnd: number): Lines {
  return { start: lineAt(hunks, baseStart, 'start'), end: lineAt(hunks, baseEnd, 'end'), changes };
}

/** Returns the line of a side at a line of the base where a difference begins or ends. */
function lineAt(hunks: readonly LineHunk[], line: number, edge: 'start' | 'end'): number {
  // Changes that touch are one difference, so none of those before it ends here.
  const before = hunks.filter(({ oldEnd }) => (edge === 'start' ? oldEnd < line : oldEnd <= line));
  return before.reduce(
    (at, { oldStart, oldEnd, newStart, newEnd }) => at + newEnd - newStart - oldEnd + oldStart,
    line,
  );
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}
