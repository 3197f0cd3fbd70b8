import type { BaseSplice, ChangedText, ReviewedText } from './changeText';
import { isSameLines } from '../files/fileState';
import type { Hunk } from '../hunks/hunk';

/** Maximum number of undone changes to remember for a file. The editor's undo list is limited, too. */
const maxRemembered = 100;

/**
 * Hunks that the user has undone. If the editor's own undo restores exactly their lines, they become pending again and don't count as the
 * user's typing.
 */
export type Undone = UndoneHunks | UndoneWhole;

interface UndoneHunks {
  readonly kind: 'hunks';
  readonly hunks: readonly UndoneHunk[];
}

/** An undo that also changed the base. It can be reverted only from the exact text that it produced. */
interface UndoneWhole {
  readonly kind: 'whole';
  readonly before: ReviewedText;
  readonly after: ReviewedText;
}

interface UndoneHunk {
  readonly hunk: Hunk;
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly lines: readonly string[];
}

/** Returns the hunks to remember after a change, with the hunks that the user's change removed on top. */
export function rememberUndone(
  undone: readonly Undone[],
  before: ReviewedText,
  after: ChangedText,
  isUser: boolean,
): Undone[] {
  const still = undone.flatMap((one) => {
    if (one.kind === 'whole') return [];
    const hunks = relocate(one.hunks, after.splices, after.hunks);
    return hunks.length === one.hunks.length ? [{ kind: 'hunks' as const, hunks }] : [];
  });
  if (!isUser || after.hunks.length === before.hunks.length) return still;
  const present = new Set(after.hunks.map(({ id }) => id));
  const gone = before.hunks
    .filter(({ id }) => !present.has(id))
    .map((hunk) => ({
      hunk,
      baseStart: hunk.baseStart,
      baseEnd: hunk.baseEnd,
      lines: before.current.slice(hunk.start, hunk.end),
    }));
  const hunks = relocate(gone, after.splices, after.hunks);
  return hunks.length === 0 ? still : [...still, { kind: 'hunks' as const, hunks }].slice(-maxRemembered);
}

/** Updates the places after changes of the base, and removes places that a change touches. */
function relocate(
  list: readonly UndoneHunk[],
  splices: readonly BaseSplice[],
  hunks: readonly Hunk[],
): readonly UndoneHunk[] {
  const moved = splices.length === 0 ? list : list.flatMap((one) => follow(one, splices));
  return moved.filter((one) => !hunks.some((hunk) => hunk.baseStart <= one.baseEnd && one.baseStart <= hunk.baseEnd));
}

function follow(one: UndoneHunk, splices: readonly BaseSplice[]): UndoneHunk[] {
  let shift = 0;
  for (const splice of splices) {
    if (splice.end <= one.baseStart) shift += splice.lines.length - (splice.end - splice.start);
    else if (splice.start >= one.baseEnd) break;
    else return [];
  }
  return [{ ...one, baseStart: one.baseStart + shift, baseEnd: one.baseEnd + shift }];
}

/** Returns the review before an undo if `current` is exactly the text before that undo. */
export function reviewBeforeUndo(
  text: ReviewedText,
  undone: Undone,
  current: readonly string[],
): ReviewedText | undefined {
  if (undone.kind === 'whole') {
    const { before, after } = undone;
    return text.base === after.base && isSameLines(before.current, current) ? before : undefined;
  }
  let gain = 0;
  const starts: number[] = [];
  for (const { baseStart, baseEnd, lines } of undone.hunks) {
    starts.push(toCurrent(text.hunks, baseStart) + gain);
    gain += lines.length - (baseEnd - baseStart);
  }
  if (current.length !== text.current.length + gain) return undefined;
  const isThere = undone.hunks.every(({ lines }, index) => {
    const start = starts[index] ?? 0;
    return lines.every((line, offset) => line === current[start + offset]);
  });
  return isThere ? withHunks(text, undone.hunks, current) : undefined;
}

/** Restores the hunks. Returns undefined if `current` differs anywhere else. */
function withHunks(
  text: ReviewedText,
  undone: readonly UndoneHunk[],
  current: readonly string[],
): ReviewedText | undefined {
  const waiting = [...undone];
  const hunks: Hunk[] = [];
  const expected: string[] = [];
  let at = 0;
  let gain = 0;
  const copyTo = (end: number) => {
    for (; at < end; at++) expected.push(text.current[at] ?? '');
  };
  const insertUpTo = (baseLimit: number) => {
    for (let next = waiting[0]; next !== undefined && next.baseStart < baseLimit; next = waiting[0]) {
      waiting.shift();
      const { baseStart, baseEnd, lines, hunk } = next;
      const start = toCurrent(text.hunks, baseStart);
      copyTo(start);
      hunks.push({ ...hunk, baseStart, baseEnd, start: start + gain, end: start + gain + lines.length });
      for (const line of lines) expected.push(line);
      at = start + baseEnd - baseStart;
      gain += lines.length - (baseEnd - baseStart);
    }
  };
  for (const hunk of text.hunks) {
    insertUpTo(hunk.baseStart);
    hunks.push({ ...hunk, start: hunk.start + gain, end: hunk.end + gain });
  }
  insertUpTo(Number.POSITIVE_INFINITY);
  copyTo(text.current.length);
  return isSameLines(expected, current) ? { base: text.base, current, hunks } : undefined;
}

/** Returns the line of the current text for a line of the base outside all hunks. */
function toCurrent(hunks: readonly Hunk[], baseLine: number): number {
  const before = hunks.findLast((hunk) => hunk.baseEnd <= baseLine);
  return baseLine + (before === undefined ? 0 : before.end - before.baseEnd);
}
