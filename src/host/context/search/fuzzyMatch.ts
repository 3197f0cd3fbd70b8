import { go, prepare, type Prepared, type Result } from 'fuzzysort';
import { Slices } from './slices';

/** Something that can be found by typing letters of its text, in order. */
export interface Searchable {
  readonly text: string;
  /** Where the name begins in the text. What precedes it, such as a folder's path, counts less. */
  readonly nameAt: number;
  /** What the first search made of the text for later ones. It needs several times the memory of the text. */
  prepared?: Prepared | undefined;
}

/** A match, and the positions of the typed letters in the text. */
export interface Match<T> {
  readonly item: T;
  readonly score: number;
  readonly letters: readonly number[];
}

/** The number of items that are compared without a look at the clock. */
const atOnce = 1000;
/** How much more a match counts that is in the name alone. */
const nameBonus = 0.12;
/** What matches less well has the letters somewhere, but nobody means it. */
const leastScore = 0.35;

/**
 * Returns at most `limit` items that contain the typed letters in order, best first: word starts and camel humps count
 * more than letters inside words, and names more than the folders above them. Items that match badly are skipped. Works in
 * slices. Resolves to undefined once `isStale` returns true.
 */
export async function bestMatches<T extends Searchable>(
  items: Iterable<T>,
  typed: string,
  limit: number,
  isStale: () => boolean = () => false,
): Promise<Match<T>[] | undefined> {
  const query = typed.replaceAll('\\', '/');
  const slices = new Slices();
  let best: Match<T>[] = [];
  let some: T[] = [];
  const search = () => {
    const results = go(query, some, { key: preparedOf, limit: limit * 4, threshold: 0 });
    for (const result of results) {
      const match = matchOf(result.obj, result);
      if (match.score >= leastScore) best.push(match);
    }
    if (best.length > limit * 20) best = inOrder(best).slice(0, limit);
    some = [];
  };
  for (const item of items) {
    some.push(item);
    if (some.length < atOnce) continue;
    search();
    if (!slices.isOver) continue;
    await slices.next();
    if (isStale()) return undefined;
  }
  search();
  return inOrder(best).slice(0, limit);
}

function preparedOf(item: Searchable): Prepared {
  return (item.prepared ??= prepare(item.text));
}

function matchOf<T extends Searchable>(item: T, { score, indexes }: Result): Match<T> {
  const letters = [...indexes];
  const isInName = letters.every((at) => at >= item.nameAt);
  return { item, score: isInName ? score + nameBonus : score, letters };
}

function inOrder<T extends Searchable>(matches: Match<T>[]): Match<T>[] {
  return matches.sort((a, b) => {
    if (a.score !== b.score) return b.score - a.score;
    const [one, other] = [a.item.text, b.item.text];
    return one.length - other.length || (one < other ? -1 : 1);
  });
}
