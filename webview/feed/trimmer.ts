import type { Store } from '../state/store';
import type { TranscriptList } from './transcriptList';

/** With more entries than this, the oldest ones leave the page. */
const maxEntries = 800;
/** How many entries stay on the page then: as many as a reload shows. */
const keptEntries = 400;

/** Drops the oldest entries of a long session while the reader is at its end, so that a session stays as fast all day. */
export class Trimmer {
  private readonly store: Store;
  private readonly list: TranscriptList;
  private frame: number | undefined;

  constructor(store: Store, list: TranscriptList) {
    this.store = store;
    this.list = list;
  }

  /** Looks with the next frame whether there is something to drop. */
  lookSoon(): void {
    if (this.frame !== undefined || !this.isLong) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      if (!this.isLong || !this.list.mayTrim) return;
      const dropped = this.store.trim(keptEntries);
      if (dropped.length > 0) this.list.trim(dropped, this.store.omitted);
    });
  }

  private get isLong(): boolean {
    return (this.store.transcript?.order.length ?? 0) > maxEntries;
  }
}
