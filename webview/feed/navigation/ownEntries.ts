import type { EntryId } from '../../../src/shared/values/ids';
import type { TranscriptOp } from '../../../src/shared/transcript/ops';
import type { EntryViews } from '../rows/entryViews';
import type { ReaderPlace } from '../scroll/readerPlace';
import type { RowWindow } from '../rows/rowWindow';
import type { Scroller } from '../scroll/scroller';
import type { ShownTranscript } from '../rows/shownTranscript';

/** The parts of the transcript's list that bring an entry into view. */
interface OwnParts {
  readonly feed: HTMLElement;
  readonly shown: ShownTranscript;
  readonly views: EntryViews;
  readonly window: RowWindow;
  readonly scroller: Scroller;
  readonly place: ReaderPlace;
}

/** Brings the entries into view that the user's own actions add: the message just sent, and the notice of a restore. */
export class OwnEntries {
  private readonly parts: OwnParts;
  /** When the user sent the message that isn't in the transcript yet, a value of `performance.now()`. */
  private sentAt: number | undefined;

  constructor(parts: OwnParts) {
    this.parts = parts;
  }

  /** Must be called when the user sends a message that becomes an entry at once. */
  expectMessage(): void {
    this.sentAt = performance.now();
  }

  /** Handles the entries that ops have just added. */
  added(fresh: ReadonlySet<EntryId>, ops: readonly TranscriptOp[]): void {
    this.bringMessage(fresh, ops);
    this.bringRestore(fresh);
  }

  forget(): void {
    this.sentAt = undefined;
  }

  /**
   * Brings a new message of the user to the top: the one just sent, unless the reader has scrolled since, or at the end
   * also one that was queued.
   */
  private bringMessage(fresh: ReadonlySet<EntryId>, ops: readonly TranscriptOp[]): void {
    const { shown, views, window, scroller, place } = this.parts;
    const id = [...fresh].findLast((one) => shown.transcript.entries.get(one)?.kind === 'user_message');
    if (id === undefined) return;
    const { sentAt } = this;
    this.sentAt = undefined;
    const before = place.now;
    const isQueued = ops.some((op) => op.op === 'view' && op.fields.queue !== undefined);
    if (sentAt === undefined ? !isQueued || !before.atEnd : scroller.hand.hasWorkedSince(sentAt)) return;
    place.forget();
    window.reveal(id);
    scroller.toMessage(() => views.get(id)?.element, before.atEnd ? undefined : before);
  }

  /** Brings the notice of a restore that the user just made into view: it is at the end, far from an early message, and can undo it. */
  private bringRestore(fresh: ReadonlySet<EntryId>): void {
    const { feed, shown, views, window, scroller, place } = this.parts;
    const id = [...fresh].findLast((one) => {
      const entry = shown.transcript.entries.get(one);
      return entry?.kind === 'notice' && entry.restore !== undefined;
    });
    if (id === undefined) return;
    const before = place.now;
    const hadFocus = feed !== document.activeElement && feed.contains(document.activeElement);
    place.forget();
    window.reveal(id);
    scroller.toEndFrom(before.atEnd ? undefined : before);
    // The form that asked for the restore goes.
    if (hadFocus) views.get(id)?.element.focus({ preventScroll: true });
  }
}
