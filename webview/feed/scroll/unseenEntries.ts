import type { EntryId } from '../../../src/shared/values/ids';

/** An entry counts as seen when so much of its top is in view, in px: about a line. */
const line = 20;

/** The entries that were added below the part in view and haven't come into it yet, in order. */
export class UnseenEntries {
  private readonly feed: HTMLElement;
  private readonly elementOf: (id: EntryId) => HTMLElement | undefined;
  private ids: readonly EntryId[] = [];

  /** `elementOf` returns the element of an entry that is on the page. */
  constructor(feed: HTMLElement, elementOf: (id: EntryId) => HTMLElement | undefined) {
    this.feed = feed;
    this.elementOf = elementOf;
  }

  get count(): number {
    return this.ids.length;
  }

  add(ids: Iterable<EntryId>): void {
    this.ids = [...this.ids, ...ids];
  }

  clear(): void {
    this.ids = [];
  }

  /** Must be called after each layout and scroll: forgets the entries that are in view now, and those above them. */
  look(): void {
    if (this.ids.length === 0) return;
    const { bottom } = this.feed.getBoundingClientRect();
    const last = this.ids.findLastIndex((id) => this.isAbove(id, bottom));
    if (last >= 0) this.ids = this.ids.slice(last + 1);
  }

  /** Returns whether an entry begins above a line of the screen. One that isn't drawn yet has no place. */
  private isAbove(id: EntryId, bottom: number): boolean {
    const element = this.elementOf(id);
    if (!element?.isConnected || element.childElementCount === 0) return false;
    let shown: Element | null = element;
    // A folded entry is represented by the row that it folds into.
    while (shown && shown !== this.feed && shown.getClientRects().length === 0) {
      shown = shown.previousElementSibling ?? shown.parentElement;
    }
    if (!shown || shown === this.feed) return false;
    const box = shown.getBoundingClientRect();
    return (shown === element ? box.top + Math.min(box.height, line) : box.bottom) <= bottom;
  }
}
