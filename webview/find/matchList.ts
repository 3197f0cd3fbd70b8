import type { FoundEntry } from '../../src/shared/pages/findQuery';
import type { EntryId } from '../../src/shared/values/ids';

/** A match: its entry, and its number among the entry's matches, from 0. */
export interface Match {
  readonly entry: EntryId;
  readonly nth: number;
}

/** All matches of a search, in the order of the transcript. */
export class MatchList {
  readonly total: number;
  private readonly found: readonly FoundEntry[];

  constructor(found: readonly FoundEntry[]) {
    this.found = found;
    this.total = found.reduce((sum, [, count]) => sum + count, 0);
  }

  get entries(): readonly FoundEntry[] {
    return this.found;
  }

  /** Returns the match at a position, from 0. */
  at(index: number): Match | undefined {
    let before = 0;
    for (const [entry, count] of this.found) {
      if (index < before + count) return index < before ? undefined : { entry, nth: index - before };
      before += count;
    }
    return undefined;
  }

  /** Returns the position of a match; undefined if it no longer exists. */
  indexOf({ entry, nth }: Match): number | undefined {
    let before = 0;
    for (const [id, count] of this.found) {
      if (id === entry) return nth < count ? before + nth : undefined;
      before += count;
    }
    return undefined;
  }

  /** Returns the position of the first match in an entry or after it in `order`; 0 if there is none. */
  indexFrom(entry: EntryId | undefined, order: readonly EntryId[]): number {
    const start = entry === undefined ? -1 : order.indexOf(entry);
    // Matches whose entries aren't in `order` come before all of it.
    const places = new Map(order.map((id, index) => [id, index]));
    let before = 0;
    for (const [id, count] of this.found) {
      if ((places.get(id) ?? -1) >= Math.max(0, start)) return before;
      before += count;
    }
    return 0;
  }
}
