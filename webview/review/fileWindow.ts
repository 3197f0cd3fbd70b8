/** How much of the files is on the page above and below the part in view, in px. */
const reach = 1200;
/** The space between two files, in px. */
const gap = 12;

/** What the window does for its files. */
export interface WindowOwner<View> {
  /** `height` is what the file has or will have, in px. */
  create(uri: string, height: number): View;
  remove(view: View): void;
  /** Called for each file on the page after the window has moved. While `isPassing`, the file may be gone with the next frame. */
  arranged(view: View, at: number, count: number, isPassing: boolean): void;
}

/**
 * The files that are on the page: those in view and near it. All others are two gaps of the same height. What is in view never
 * moves because of a change elsewhere.
 */
export class FileWindow<View extends { readonly element: HTMLElement }> {
  private readonly feed: HTMLElement;
  private readonly column: HTMLElement;
  private readonly above = document.createElement('div');
  private readonly below = document.createElement('div');
  private readonly owner: WindowOwner<View>;
  private readonly views = new Map<string, View>();
  private readonly heights = new Map<string, number>();
  /** Heights of files that were never on the page. */
  private estimates = new Map<string, number>();
  private uris: readonly string[] = [];
  /** The places of the files, from 1. */
  private places = new Map<string, number>();
  private isAsked = false;
  /** How far the feed was scrolled at the last frame. */
  private lastTop = 0;

  constructor(feed: HTMLElement, column: HTMLElement, owner: WindowOwner<View>) {
    this.feed = feed;
    this.column = column;
    this.owner = owner;
    for (const space of [this.above, this.below]) space.className = 'space';
    column.prepend(this.above, this.below);
    feed.addEventListener('scroll', () => this.soon(), { passive: true });
    new ResizeObserver(() => this.soon()).observe(feed);
  }

  view(uri: string | undefined): View | undefined {
    return uri === undefined ? undefined : this.views.get(uri);
  }

  get all(): readonly View[] {
    return [...this.views.values()];
  }

  /** Shows these files. `estimate` is the height of a file that was never on the page. */
  show(uris: readonly string[], estimate: (uri: string) => number): void {
    this.uris = uris;
    this.estimates = new Map(uris.map((uri) => [uri, estimate(uri)]));
    this.places = new Map(uris.map((uri, at) => [uri, at + 1]));
    for (const [uri, view] of this.views) if (!this.places.has(uri)) this.drop(uri, view);
    for (const uri of this.heights.keys()) if (!this.places.has(uri)) this.heights.delete(uri);
    this.arrange();
  }

  /**
   * Changes something on the page so that what the user reads stays at its place. If `leaving` goes, what `next` returns takes its place.
   */
  keepInPlace(change: () => void, leaving?: Element, next?: () => Element | undefined): void {
    const top = this.feed.getBoundingClientRect().top;
    const marks = this.marks(top);
    const place = leaving && Math.max(leaving.getBoundingClientRect().top, top);
    change();
    this.arrange();
    const successor = leaving?.isConnected === false ? next?.() : undefined;
    const kept = marks.find(({ element }) => element.isConnected);
    if (successor && place !== undefined) this.scrollBy(successor.getBoundingClientRect().top - place);
    else if (kept) this.scrollBy(kept.element.getBoundingClientRect().top - kept.top);
    this.arrange();
  }

  /** Scrolls so that a file is on the page, and returns it. */
  reach(uri: string): View | undefined {
    const known = this.views.get(uri);
    if (known) return known;
    let offset = 0;
    for (const one of this.uris) {
      if (one === uri) break;
      offset += this.heightOf(one) + gap;
    }
    this.feed.scrollTop = offset;
    this.arrange();
    return this.views.get(uri);
  }

  soon(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      const { scrollTop, clientHeight } = this.feed;
      // Whoever drags the scroll bar passes files that nobody reads. They are shown when the feed comes to rest.
      const isPassing = Math.abs(scrollTop - this.lastTop) > clientHeight;
      this.lastTop = scrollTop;
      this.arrange(isPassing);
      if (isPassing) this.soon();
    });
  }

  /** Adds files that are near the part in view, and removes others. */
  arrange(isPassing = false): void {
    this.measure();
    const from = this.feed.scrollTop - reach;
    const to = this.feed.scrollTop + this.feed.clientHeight + reach;
    let offset = 0;
    let [above, below] = [0, 0];
    const chosen: string[] = [];
    for (const uri of this.uris) {
      const height = this.heightOf(uri) + gap;
      if (offset + height < from) above += height;
      else if (offset > to) below += height;
      else chosen.push(uri);
      offset += height;
    }
    const near = new Set(chosen);
    for (const [uri, view] of this.views) if (!near.has(uri)) this.drop(uri, view);
    this.above.style.height = `${above}px`;
    this.below.style.height = `${below}px`;
    let at: Element | null = this.above.nextElementSibling;
    for (const uri of chosen) {
      let view = this.views.get(uri);
      if (!view) {
        view = this.owner.create(uri, this.heightOf(uri));
        this.views.set(uri, view);
      }
      if (view.element === at) at = at.nextElementSibling;
      else this.column.insertBefore(view.element, at);
    }
    for (const [uri, view] of this.views) {
      this.owner.arranged(view, this.places.get(uri) ?? 1, this.uris.length, isPassing);
    }
  }

  private drop(uri: string, view: View): void {
    this.views.delete(uri);
    const hadFocus = view.element.contains(document.activeElement);
    this.owner.remove(view);
    // The keys still work, and the next one returns to a change.
    if (hadFocus) this.feed.focus({ preventScroll: true });
  }

  private heightOf(uri: string): number {
    return this.heights.get(uri) ?? this.estimates.get(uri) ?? 0;
  }

  private measure(): void {
    for (const [uri, view] of this.views) {
      const { offsetHeight } = view.element;
      if (offsetHeight > 0) this.heights.set(uri, offsetHeight);
    }
  }

  /** The elements in view from the top on, with their places on the screen. */
  private marks(top: number): readonly { readonly element: Element; readonly top: number }[] {
    const bottom = top + this.feed.clientHeight;
    const all = [...this.column.querySelectorAll('.pl-file, .pl-hunk')].map((element) => {
      const box = element.getBoundingClientRect();
      return { element, top: box.top, bottom: box.bottom };
    });
    const inView = all.filter((mark) => mark.bottom > top && mark.top < bottom);
    // A change says better than its file where the reader is.
    return [...inView.filter(({ element }) => element.matches('.pl-hunk')), ...inView];
  }

  private scrollBy(distance: number): void {
    if (Math.abs(distance) >= 1) this.feed.scrollTop += distance;
  }
}
