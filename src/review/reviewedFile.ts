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
} from './fileState';
import type { UnreadReason } from '../shared/review';
import type { Rename, Traits } from './fileTraits';
import { mergeAuthors, user, type Author, type Hunk, type HunkId, type NextHunkId } from './hunk';
import { applyLineEdits } from './minimalEdits';
import { rebaseLines, type LineEdit } from './rebase';
import { refineRegions } from './refineHunks';

/** What happened to a file since the user last accepted it; content may have changed along with a rename. */
export type FileStatus =
  | { readonly kind: 'modified' | 'created' | 'deleted' | 'binary' | 'link' | 'mode' | 'mark' }
  /** It was written, and nobody knows what it held before, or whether it was there. */
  | { readonly kind: 'unread'; readonly reason: UnreadReason }
  | { readonly kind: 'renamed'; readonly from: string };

/** How to undo changes of one file. */
export interface UndoPlan {
  /** The whole file afterwards, permission bits and byte order mark included. */
  readonly result: FileState;
  /**
   * The same as edits of the present lines, in order; lines carry their breaks (`editorEdits` takes them off). Not there
   * where the file has to be written as a whole, created or deleted.
   */
  readonly edits?: readonly LineEdit[];
  /** The URI that the file had before an agent renamed it. */
  readonly moveTo?: string;
  readonly hunks: readonly HunkId[];
  /** Whether the user typed into one of the hunks: ask before it goes. */
  readonly hasUserText: boolean;
}

/** The edits of a plan as an editor takes them: lines without breaks. */
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

/** The same as pieces of a change, so that nothing has to be compared. */
export function undoPieces(hunks: readonly Hunk[]): Piece[] {
  let gain = 0;
  return hunks.map(({ start, end, baseStart, baseEnd }) => {
    const newStart = start + gain;
    gain += baseEnd - baseStart - (end - start);
    return { oldStart: start, oldEnd: end, newStart, newEnd: newStart + baseEnd - baseStart, isReviewed: true };
  });
}

/** What undoes hunks: the base's lines, or for a file that the user did not have the lines that they wrote. */
export function undoEdits(text: ReviewedText, hunks: readonly Hunk[]): LineEdit[] {
  return hunks.map((hunk) => ({
    start: hunk.start,
    end: hunk.end,
    lines: text.base.length === 0 ? linesOfUser(text, hunk) : text.base.slice(hunk.baseStart, hunk.baseEnd),
  }));
}

function linesOfUser({ current }: ReviewedText, hunk: Hunk): readonly string[] {
  if (isOpaque(current)) return hunk.lineAuthors.every(({ kind }) => kind === 'user') ? current : [];
  const lines = current.slice(hunk.start, hunk.end).filter((_, index) => hunk.lineAuthors[index]?.kind === 'user');
  const text = lines.join('');
  return text === '' ? [] : linesWithBreaks(text);
}

/** Finds the hunks anew between two whole texts; authors come from the hunks before, by their place in the current text. */
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

/** The base to go on with when `better` turns out to be what was guessed as `guess`: what the user wrote since stays in. */
export function correctedBase(
  guess: readonly string[],
  base: readonly string[],
  better: readonly string[],
): readonly string[] {
  if (isSameLines(guess, base)) return better;
  if ([guess, base, better].some(isIndivisible)) return base;
  return repairBreaks(applyLineEdits(better, rebaseLines(guess, base, better)));
}

/** Gives every line but the last a break where a merge put a line from the end of a text into the middle. */
function repairBreaks(lines: readonly string[]): string[] {
  const lineBreak = lines.some((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
  return lines.map((line, index) => (index === lines.length - 1 || /[\r\n]$/.test(line) ? line : line + lineBreak));
}
