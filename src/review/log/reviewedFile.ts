import type { Piece, ReviewedText } from './changeText';
import {
  isBinary,
  isIndivisible,
  isOpaque,
  unreadOf,
  isSameLines,
  linesWithBreaks,
  withoutBreak,
  type FileState,
} from '../files/fileState';
import type { UnreadReason } from '../../shared/changes/review';
import type { Rename, Traits } from './fileTraits';
import { mergeAuthors, user, type Author, type Hunk, type HunkId, type NextHunkId } from '../hunks/hunk';
import { applyLineEdits } from '../lines/minimalEdits';
import { rebaseLines, type LineEdit } from '../lines/rebase';
import { refineRegions } from '../hunks/refineHunks';

/** The change of a file since its last kept version. After a rename, the content may have changed, too. */
export type FileStatus =
  | { readonly kind: 'modified' | 'created' | 'deleted' | 'binary' | 'link' | 'mode' | 'mark' }
  /** The file was written, but its earlier content is unknown, and it may not have existed. */
  | { readonly kind: 'unread'; readonly reason: UnreadReason }
  | { readonly kind: 'renamed'; readonly from: string };

/** How to undo changes of one file. */
export interface UndoPlan {
  /** The resulting file, including permission bits and byte order mark. */
  readonly result: FileState;
  /**
   * The plan as edits of the current lines, in order. Lines include their breaks; use `editorEdits` to remove them. Absent if the file must
   * be written as a whole, created, or deleted.
   */
  readonly edits?: readonly LineEdit[];
  /** The URI of the file before an agent renamed it. */
  readonly moveTo?: string;
  readonly hunks: readonly HunkId[];
  /** Whether the user typed into one of the hunks. If so, ask before undoing it. */
  readonly hasUserText: boolean;
}

/** Returns the edits of a plan without line breaks, as the editor needs them. */
export function editorEdits(edits: readonly LineEdit[]): LineEdit[] {
  return edits.map(({ start, end, lines }) => ({
    start,
    end,
    lines: lines.map(withoutBreak),
  }));
}

/** See `TrackedFile.status`. */
export function fileStatus({ base, current, hunks }: ReviewedText, traits: Traits): FileStatus | undefined {
  if (hunks.length > 0) {
    if (base.length === 0) return { kind: 'created' };
    if (current.length === 0) return { kind: 'deleted' };
    const unread = unreadOf(base);
    if (unread) return { kind: 'unread', reason: unread.reason };
    if (isBinary(base) || isBinary(current)) return { kind: 'binary' };
    if (isOpaque(base) || isOpaque(current)) return { kind: 'link' };
  }
  const rename = traits.changes.find((change): change is Rename => change.kind === 'rename');
  if (rename !== undefined) return { kind: 'renamed', from: rename.from };
  if (hunks.length > 0) return { kind: 'modified' };
  const [other] = traits.changes;
  return other && other.kind !== 'rename' ? { kind: other.kind } : undefined;
}

/** Converts an undo to pieces of a change, so that no comparison is needed. */
export function undoPieces(hunks: readonly Hunk[]): Piece[] {
  let gain = 0;
  return hunks.map(({ start, end, baseStart, baseEnd }) => {
    const newStart = start + gain;
    gain += baseEnd - baseStart - (end - start);
    return { oldStart: start, oldEnd: end, newStart, newEnd: newStart + baseEnd - baseStart, isReviewed: true };
  });
}

/**
 * Returns the edits that undo hunks: they restore the base's lines or, in a file that didn't exist in the base, remove the hunks' lines.
 */
export function undoEdits(text: ReviewedText, hunks: readonly Hunk[]): LineEdit[] {
  return hunks.map((hunk) => ({
    start: hunk.start,
    end: hunk.end,
    lines: text.base.length === 0 ? linesOfUser(text, hunk) : text.base.slice(hunk.baseStart, hunk.baseEnd),
  }));
}

function linesOfUser({ current }: ReviewedText, hunk: Hunk): readonly string[] {
  // Whoever wrote in it last, the agent's files are in it, too.
  if (unreadOf(current)?.what === 'folder') return [];
  if (isOpaque(current)) return hunk.lineAuthors.every(({ kind }) => kind === 'user') ? current : [];
  const lines = current.slice(hunk.start, hunk.end).filter((_, index) => hunk.lineAuthors[index]?.kind === 'user');
  const text = lines.join('');
  return text === '' ? [] : linesWithBreaks(text);
}

/** Finds the hunks again by comparing two whole texts. Authors come from the previous hunks, by their place in the current text. */
export function relocateHunks(
  before: ReviewedText,
  base: readonly string[],
  current: readonly string[],
  nextId: NextHunkId,
): ReviewedText {
  const all = mergeAuthors(before.hunks.map(({ authors }) => authors));
  const lastAgent: Author = all.findLast(({ kind }) => kind === 'agent') ?? user;
  const isSame = current.length === before.current.length;
  const lineAuthors = current.map(() => lastAgent);
  if (isSame) {
    for (const hunk of before.hunks) hunk.lineAuthors.forEach((author, at) => (lineAuthors[hunk.start + at] = author));
  }
  const region = {
    baseStart: 0,
    baseEnd: base.length,
    start: 0,
    end: current.length,
    authors: all,
    lineAuthors,
    owners: [],
    isChanged: true,
  };
  const hunks = refineRegions(base, current, [region], nextId).map((hunk): Hunk => {
    if (!isSame) return hunk;
    const old = before.hunks.filter((one) => one.start <= hunk.end && hunk.start <= one.end);
    const authors = mergeAuthors(old.map(({ authors }) => authors));
    return authors.length === 0 ? { ...hunk, authors: [lastAgent] } : { ...hunk, authors };
  });
  return { base, current, hunks: withOldIds(hunks, before.hunks) };
}

function withOldIds(hunks: readonly Hunk[], old: readonly Hunk[]): Hunk[] {
  const free = [...old];
  return hunks.map((hunk) => {
    const index = free.findIndex((one) => one.start <= hunk.end && hunk.start <= one.end);
    const [known] = index < 0 ? [] : free.splice(index, 1);
    return known === undefined ? hunk : { ...hunk, id: known.id };
  });
}

/**
 * Returns the corrected base when `better` is the actual version of the guessed base `guess`. Changes the user made since are preserved.
 */
export function correctedBase(
  guess: readonly string[],
  base: readonly string[],
  better: readonly string[],
): readonly string[] {
  if (isSameLines(guess, base)) return better;
  if ([guess, base, better].some(isIndivisible)) return base;
  return repairBreaks(applyLineEdits(better, rebaseLines(guess, base, better)));
}

/** Adds a break to every line but the last, in case a merge moved the last line of a text into the middle. */
function repairBreaks(lines: readonly string[]): string[] {
  const lineBreak = lines.some((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
  return lines.map((line, index) => (index === lines.length - 1 || /[\r\n]$/.test(line) ? line : line + lineBreak));
}
