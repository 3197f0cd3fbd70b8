import type { EntryId } from '../../../src/shared/values/ids';
import type { RenderQueue } from '../../base/renderQueue';
import type { EntryView } from '../../entries/view/entryView';
import { UserMessageView } from '../../entries/message/userMessage';
import type { ScrollPlace } from '../../state/memory';
import type { PageContext } from '../../state/pageContext';
import type { EntryViews } from '../rows/entryViews';
import { focusEntry, focusNewest, focusOldestRequest, openEntry, scrollToEntry } from './goTo';
import type { ReadGroups } from '../rows/readGroups';
import type { ReaderPlace } from '../scroll/readerPlace';
import type { Rows } from '../rows/rows';
import type { RowWindow } from '../rows/rowWindow';
import type { Scroller } from '../scroll/scroller';
import type { ShownTranscript } from '../rows/shownTranscript';

/** An entry that may not be on the page yet. `end` is called with its view, or without one if it can't be shown. */
interface Target {
  readonly id: EntryId;
  end(view?: EntryView): void;
}

/** The parts of the transcript's list that take the reader to an entry. */
interface NavigationParts {
  readonly feed: HTMLElement;
  readonly context: PageContext;
  readonly shown: ShownTranscript;
  readonly rows: Rows;
  readonly views: EntryViews;
  readonly groups: ReadGroups;
  readonly window: RowWindow;
  readonly scroller: Scroller;
  readonly place: ReaderPlace;
  readonly queue: RenderQueue;
}

/** Takes the reader to entries, also to those that aren't on the page yet, and back from previews. */
export class TranscriptNavigation {
  private readonly parts: NavigationParts;
  /** The entry to go to as soon as it is fetched, and how. */
  private target: Target | undefined;
  /** Where the reader was before a preview. */
  private placeBefore: ScrollPlace | undefined;

  constructor(parts: NavigationParts) {
    this.parts = parts;
  }

  /** Whether an entry is still to be fetched or drawn. */
  get isUnderway(): boolean {
    return this.target !== undefined;
  }

  /** The entry that the reader is at: the one with the focus, or else the first in view. */
  get current(): EntryId | undefined {
    const { feed, views, window, shown } = this.parts;
    const article = document.activeElement?.closest('article');
    const focused = article && feed.contains(article) ? views.of(article)?.entry.id : undefined;
    if (focused !== undefined) return focused;
    const { anchor } = window.placeAt(feed.scrollTop);
    return anchor === '' ? shown.order.at(-1) : anchor;
  }

  /** Moves the focus to the newest entry. Returns whether there is one. */
  focusNewest(): boolean {
    const { feed, place, rows, window } = this.parts;
    place.forget();
    const last = rows.all.at(-1)?.id;
    if (last !== undefined) window.reveal(last);
    return focusNewest(feed);
  }

  focusOldestRequest(): boolean {
    // A return to an earlier place that isn't over would take the reader away again.
    this.parts.place.forget();
    return focusOldestRequest(this.parts.shown.order, this.parts.views);
  }

  /** Scrolls to an entry and focuses it. If necessary, fetches it with those before it. */
  goTo(id: EntryId): void {
    this.bring({ id, end: (view) => view && this.focusAt(view) });
  }

  /** Goes at once to an entry that was fetched before. */
  goToFetched(id: EntryId): void {
    const { place, scroller, window, views } = this.parts;
    place.forget();
    scroller.stay();
    if (!window.reveal(id)) return;
    const view = views.get(id);
    if (view) this.focusAt(view);
  }

  /** Goes to a message of the user and opens its form. */
  openForm(id: EntryId, mode: 'edit' | 'restore', keepsFiles: boolean): void {
    this.bring({
      id,
      end: (view) => {
        if (view) this.focusAt(view);
        if (view instanceof UserMessageView) view.open(mode, keepsFiles);
      },
    });
  }

  /** Goes to the next or the previous message of the user, also to one that isn't on the page yet. */
  stepTurn(by: 1 | -1): void {
    const { shown, context } = this.parts;
    const { current } = this;
    if (shown.isEmpty || current === undefined) return;
    const { order, entries } = shown.transcript;
    const at = order.indexOf(current);
    const isMessage = (id: EntryId) => entries.get(id)?.kind === 'user_message';
    const next = by > 0 ? order.slice(at + 1).find(isMessage) : order.slice(0, at).findLast(isMessage);
    const [first] = order;
    if (next !== undefined) this.goTo(next);
    else if (by > 0) this.focusNewest();
    else if (shown.omitted > 0 && first !== undefined) {
      context.post({ type: 'goToEarlierTurn', session: shown.session, before: first });
    }
  }

  /** Scrolls to an entry without moving the focus. */
  preview(id: EntryId): void {
    const { place, views, groups } = this.parts;
    const before = this.placeBefore ?? place.now;
    this.bring({
      id,
      end: (view) => {
        if (!view) return;
        scrollToEntry(view, views, groups);
        this.keepInPlace(view);
      },
    });
    this.placeBefore = before;
  }

  /** Returns to where the reader was before the first preview. */
  endPreview(): void {
    const { place, scroller } = this.parts;
    const { placeBefore } = this;
    if (!placeBefore) return;
    this.target?.end();
    this.target = undefined;
    this.placeBefore = undefined;
    place.forget();
    if (placeBefore.atEnd) scroller.toEnd();
    else place.restore(placeBefore);
  }

  /**
   * Opens an entry and everything that hides it, for the find widget. Resolves to its element once it is drawn, or to
   * undefined if it can't be shown, or if the list was meanwhile sent elsewhere.
   */
  reveal(id: EntryId): Promise<HTMLElement | undefined> {
    const { views, groups, context, queue } = this.parts;
    return new Promise<EntryView | undefined>((end) => this.bring({ id, end })).then(async (view) => {
      if (!view) return undefined;
      // At once, because what is far from the reader leaves the page.
      scrollToEntry(view, views, groups);
      openEntry(view, views, context);
      await queue.flush();
      return views.get(id)?.element;
    });
  }

  /** Continues to the entry that had to be fetched. */
  olderArrived(): void {
    if (this.target) this.bring(this.target);
  }

  clear(): void {
    this.target?.end();
    this.target = undefined;
    this.placeBefore = undefined;
  }

  private focusAt(view: EntryView): void {
    focusEntry(view, this.parts.views, this.parts.groups);
    this.keepInPlace(view);
  }

  /** Keeps an entry where it is while those around it are drawn and get their heights. */
  private keepInPlace(view: EntryView): void {
    const { feed, views, place } = this.parts;
    const { entry, element } = views.parentOf(view) ?? view;
    place.restore({ anchor: entry.id, offset: feed.scrollTop - element.offsetTop, atEnd: false });
  }

  private bring(target: Target): void {
    const { place, scroller, queue, window, shown, views } = this.parts;
    if (this.target !== target) {
      this.target?.end();
      this.placeBefore = undefined;
    }
    this.target = target;
    place.forget();
    scroller.stay();
    void queue.flush().then(() => {
      if (this.target !== target) return;
      if (!window.reveal(target.id) && shown.fetchOlder()) return;
      this.target = undefined;
      target.end(views.get(target.id));
    });
  }
}
