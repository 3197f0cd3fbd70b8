import { isIndivisible, withoutBreak } from '../files/fileState';
import { mergeAuthors, type Author, type Hunk, type HunkId, type NextHunkId } from '../hunks/hunk';
import type { LineHunk } from '../../shared/diff/lineDiff';
import { refineRegions, type Region } from '../hunks/refineHunks';

/** A text under review. Hunks are in order, and outside of them, `base` and `current` have the same lines. */
export interface ReviewedText {
  readonly base: readonly string[];
  readonly current: readonly string[];
  readonly hunks: readonly Hunk[];
}

/** Lines `start` to `end` of a base became `lines`, written by `lineAuthors`. `end` is exclusive. */
export interface BaseSplice {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  readonly lineAuthors: readonly Author[];
  /** The kept hunks that the lines belong to, even at a hunk's border. */
  readonly within?: readonly HunkId[];
}

/** A text after a change, and the splices of its base, in order and in coordinates of the base before. */
export interface ChangedText extends ReviewedText {
  readonly splices: readonly BaseSplice[];
}

/** A change of the current text. It belongs to hunks if `isReviewed` is true, and to the base otherwise. */
export interface Piece extends LineHunk {
  readonly isReviewed: boolean;
}

/**
 * Splits changes into parts that need review and parts that don't. All changes by an agent need review; of the user's changes, only those
 * inside a hunk. A change across a hunk's border is cut there if its lines correspond one to one, and belongs to the hunk otherwise.
 */
export function piecesOf(
  before: ReviewedText,
  current: readonly string[],
  changes: readonly LineHunk[],
  author: Author,
): Piece[] {
  if (author.kind === 'agent') return changes.map((change) => ({ ...change, isReviewed: true }));
  const { hunks } = before;
  if ([before.base, before.current, current].some(isIndivisible)) {
    const whole = { oldStart: 0, oldEnd: before.current.length, newStart: 0, newEnd: current.length };
    if (hunks.length === 0) return [{ ...whole, isReviewed: false }];
    // In a file created by an agent, this preserves who wrote each line.
    const parts = changes.length > 0 && before.base.length === 0 ? changes : [whole];
    return parts.map((change) => ({ ...change, isReviewed: true }));
  }
  return changes.flatMap((change) => cut(change, hunks));
}

function cut(change: LineHunk, hunks: readonly Hunk[]): Piece[] {
  const touched = hunks.filter((hunk) => overlaps(change, hunk));
  if (touched.length === 0) return [{ ...change, isReviewed: false }];
  const judged = (part: LineHunk) => ({ ...part, isReviewed: touched.some((hunk) => overlaps(part, hunk)) });
  const { oldStart, oldEnd, newStart, newEnd } = change;
  if (oldEnd - oldStart === newEnd - newStart) {
    return Array.from({ length: oldEnd - oldStart }, (_, index) =>
      judged({
        oldStart: oldStart + index,
        oldEnd: oldStart + index + 1,
        newStart: newStart + index,
        newEnd: newStart + index + 1,
      }),
    );
  }
  if (newStart < newEnd) return [{ ...change, isReviewed: true }];
  const borders = touched.flatMap(({ start, end }) => [start, end]).filter((at) => at > oldStart && at < oldEnd);
  const ends = [...new Set([...borders, oldEnd])].sort((a, b) => a - b);
  return ends.map((end, index) =>
    judged({ oldStart: ends[index - 1] ?? oldStart, oldEnd: end, newStart, newEnd: newStart }),
  );
}

/** Returns whether a change overlaps a hunk. A change that only touches the hunk, such as an insertion at its border, is outside. */
function overlaps(change: LineHunk, hunk: Hunk): boolean {
  return change.oldStart < hunk.end && hunk.start < change.oldEnd;
}

/**
 * Applies a new current text. `pieces` lists its differences from the text before, in order. Reviewed pieces become hunks or join the hunks
 * they touch; all others go into the base.
 */
export function applyPieces(
  before: ReviewedText,
  current: readonly string[],
  pieces: readonly Piece[],
  author: Author,
  nextId: NextHunkId,
): ChangedText {
  const sweep = new Sweep(before, current, pieces, author);
  sweep.run();
  const { splices, regions } = sweep;
  const base = spliceLines(before.base, splices);
  return { base, current, hunks: refineRegions(base, current, regions, nextId), splices };
}

/** Returns the lines after `splices`, which are in order and don't overlap. Returns the same list if there are none. */
export function spliceLines(lines: readonly string[], splices: readonly BaseSplice[]): readonly string[] {
  if (splices.length === 0) return lines;
  const [only] = splices;
  if (splices.length === 1 && only !== undefined && only.lines.length < 1000) {
    return lines.toSpliced(only.start, only.end - only.start, ...only.lines);
  }
  const result: string[] = [];
  let at = 0;
  for (const splice of splices) {
    for (; at < splice.start; at++) result.push(lines[at] ?? '');
    for (const line of splice.lines) result.push(line);
    at = splice.end;
  }
  for (; at < lines.length; at++) result.push(lines[at] ?? '');
  return result;
}

/** Goes through hunks and pieces once, both in order of the text before. */
class Sweep {
  readonly regions: Region[] = [];
  readonly splices: BaseSplice[] = [];
  private readonly hunks: readonly Hunk[];
  private readonly previous: readonly string[];
  private readonly current: readonly string[];
  private readonly pieces: readonly Piece[];
  private readonly author: Author;
  private nextHunk = 0;
  private nextPiece = 0;
  /** The offset from a line of the text before, outside of hunks, to its place in the base before. */
  private toBase = 0;
  /** How many lines the text after this point has moved down. */
  private currentGain = 0;
  private baseGain = 0;

  constructor(before: ReviewedText, current: readonly string[], pieces: readonly Piece[], author: Author) {
    this.hunks = before.hunks;
    this.previous = before.current;
    this.current = current;
    this.pieces = pieces;
    this.author = author;
  }

  run(): void {
    for (;;) {
      const hunk = this.hunks[this.nextHunk];
      const piece = this.pieces[this.nextPiece];
      if (hunk === undefined && piece === undefined) return;
      if (piece?.isReviewed === false && (hunk === undefined || isBefore(piece, hunk))) this.fold(piece);
      else this.collect();
    }
  }

  private fold(piece: Piece): void {
    this.nextPiece++;
    const lines = this.current.slice(piece.newStart, piece.newEnd);
    this.splices.push({
      start: piece.oldStart + this.toBase,
      end: piece.oldEnd + this.toBase,
      lines,
      lineAuthors: lines.map(() => this.author),
    });
    const gained = gain(piece);
    this.currentGain += gained;
    this.baseGain += gained;
  }

  /** Merges the next hunk or piece and everything that touches it into one region. */
  private collect(): void {
    const hunks: Hunk[] = [];
    const pieces: Piece[] = [];
    const first = this.pieces[this.nextPiece];
    const start = Math.min(
      this.hunks[this.nextHunk]?.start ?? Number.POSITIVE_INFINITY,
      first?.isReviewed === true ? first.oldStart : Number.POSITIVE_INFINITY,
    );
    const baseStart = start + this.toBase;
    let end = start;
    for (;;) {
      const hunk = this.hunks[this.nextHunk];
      const piece = this.pieces[this.nextPiece];
      if (hunk !== undefined && hunk.start <= end) {
        hunks.push(hunk);
        this.nextHunk++;
        end = Math.max(end, hunk.end);
        this.toBase = hunk.baseEnd - hunk.end;
      } else if (piece?.isReviewed === true && piece.oldStart <= end) {
        pieces.push(piece);
        this.nextPiece++;
        end = Math.max(end, piece.oldEnd);
      } else {
        break;
      }
    }
    const newStart = start + this.currentGain;
    for (const piece of pieces) this.currentGain += gain(piece);
    const { baseGain } = this;
    this.regions.push({
      baseStart: baseStart + baseGain,
      baseEnd: end + this.toBase + baseGain,
      start: newStart,
      end: end + this.currentGain,
      authors: mergeAuthors([...hunks.map(({ authors }) => authors), pieces.length > 0 ? [this.author] : []]),
      lineAuthors: this.lineAuthors(start, end, hunks, pieces),
      owners: hunks.map((hunk) => ({
        id: hunk.id,
        baseStart: hunk.baseStart + baseGain,
        baseEnd: hunk.baseEnd + baseGain,
      })),
      isChanged: pieces.length > 0,
    });
  }

  private lineAuthors(start: number, end: number, hunks: readonly Hunk[], pieces: readonly Piece[]): Author[] {
    const [only] = hunks;
    if (pieces.length === 0 && hunks.length === 1 && only !== undefined) return [...only.lineAuthors];
    const before: Author[] = Array.from({ length: end - start }, () => this.author);
    for (const hunk of hunks) {
      hunk.lineAuthors.forEach((author, index) => (before[hunk.start - start + index] = author));
    }
    const after: Author[] = [];
    let at = start;
    for (const piece of pieces) {
      for (; at < piece.oldStart; at++) after.push(before[at - start] ?? this.author);
      for (let line = piece.newStart; line < piece.newEnd; line++, at++) {
        const isTextKept =
          at < piece.oldEnd && withoutBreak(this.current[line] ?? '') === withoutBreak(this.previous[at] ?? '');
        // A line keeps its author if only its line break changes, for example when lines are appended to the last line.
        after.push(isTextKept ? (before[at - start] ?? this.author) : this.author);
      }
      at = piece.oldEnd;
    }
    for (; at < end; at++) after.push(before[at - start] ?? this.author);
    return after;
  }
}

/** Returns whether a base change comes before a hunk. A change at the place of a hunk without lines comes after it. */
function isBefore(piece: Piece, hunk: Hunk): boolean {
  return piece.oldEnd <= hunk.start && !(piece.oldStart === hunk.start && hunk.start === hunk.end);
}

function gain(change: LineHunk): number {
  return change.newEnd - change.newStart - (change.oldEnd - change.oldStart);
}
