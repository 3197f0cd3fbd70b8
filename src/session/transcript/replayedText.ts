import type { ContentBlock } from '../../shared/transcript/content';
import type { Entry } from '../../shared/transcript/transcript';
import { contentAfter, contentUpTo, isText, wordsOf, type TextEntry } from './replayIdentity';

/** A text of the agent that is shown, as part of all texts of its kind in the turn. */
interface Piece {
  readonly entry: TextEntry;
  /** Its place among the entries of the turn. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** Where a replayed text is shown. */
export interface FoundText {
  readonly entries: readonly TextEntry[];
  /** The replayed text begins where the only shown one does. */
  readonly isWhole: boolean;
  /** What isn't shown of it, because the shown text was cut off. */
  readonly rest?: readonly ContentBlock[];
  /** What isn't shown of it and comes before what is, because the agent joins two texts. */
  readonly start?: readonly ContentBlock[];
}

/** Minimum length of a text that isn't inside another one by chance. */
const fewest = 16;

/** The shown texts of one kind in a turn, among which replayed ones are found in order. */
export class ReplayedText {
  private readonly pieces: readonly Piece[];
  private readonly words: string;
  /** The end of what was found. */
  private cursor = 0;

  constructor(ours: readonly Entry[], kind: TextEntry['kind']) {
    const pieces: Piece[] = [];
    let words = '';
    ours.forEach((entry, at) => {
      if (!isText(entry) || entry.kind !== kind) return;
      const start = words.length;
      words += wordsOf(entry);
      pieces.push({ entry, at, start, end: words.length });
    });
    this.pieces = pieces;
    this.words = words;
  }

  /** The shown entry at this place is known, so that what follows comes after it. */
  pass(at: number): void {
    const piece = this.pieces.find((one) => one.at === at);
    if (piece) this.cursor = Math.max(this.cursor, piece.end);
  }

  /** Finds a replayed text: in what is shown, or as the whole of what is only begun between two places. */
  find(
    theirs: TextEntry,
    { after, until, used }: { readonly after: number; readonly until: number; readonly used: ReadonlySet<Entry> },
  ): FoundText | undefined {
    const text = wordsOf(theirs);
    const { words, pieces, cursor } = this;
    if (text === '') return { entries: [], isWhole: false };
    const starts = pieces.flatMap(({ start }) => (start > cursor ? [start] : []));
    // The same words further on are known to be another text.
    const others = pieces.filter((piece) => piece.at >= until && used.has(piece.entry));
    const isFree = (start: number) => !others.some((piece) => piece.start < start + text.length && piece.end > start);
    const isHere = (start: number) => words.startsWith(text, start) && isFree(start);
    const at = [cursor, ...starts].find(isHere) ?? this.inside(text);
    if (at !== undefined && isFree(at)) return this.take(at, at + text.length);
    const between = pieces.filter((piece) => piece.at > after && piece.at < until && !used.has(piece.entry));
    const cut = pieces.find(({ start, end }) => start < cursor && cursor < end);
    const begins = [...(cut && cut.at < until ? [cursor] : []), ...between.map(({ start }) => start)];
    const end = pieces.findLast((piece) => piece.at < until)?.end ?? 0;
    const begin = begins.find((start) => start >= cursor && text.startsWith(words.slice(start, end)));
    const last = between.find(
      (piece) => piece.end > Math.max(piece.start, cursor) && text.endsWith(words.slice(piece.start, piece.end)),
    );
    if (begin === undefined && last) {
      const first = text.slice(0, text.length - (last.end - last.start));
      return { ...this.take(last.start, last.end), start: contentUpTo(theirs, first) };
    }
    if (begin === undefined) return undefined;
    return { ...this.take(begin, end), rest: contentAfter(theirs, words.slice(begin, end)) };
  }

  private inside(text: string): number | undefined {
    const at = text.length < fewest ? -1 : this.words.indexOf(text, this.cursor);
    return at < 0 ? undefined : at;
  }

  private take(start: number, end: number): FoundText {
    this.cursor = end;
    const isEmpty = start === end;
    const found = this.pieces.filter((piece) =>
      isEmpty ? piece.start === start && piece.end === end : piece.start < end && piece.end > start,
    );
    return { entries: found.map(({ entry }) => entry), isWhole: found.length === 1 && found[0]?.start === start };
  }
}
