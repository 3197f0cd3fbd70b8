import { Disposable, toDisposable } from '../../src/shared/disposable';

/**
 * Counts the open requests that the reader can see. A request whose card isn't laid out counts as out of sight. Calls `onChange` when the
 * count may have changed.
 */
export class RequestsInView extends Disposable {
  private readonly feed: HTMLElement;
  private readonly onChange: () => void;
  private readonly observer: IntersectionObserver;
  private readonly groups = new Map<Element, boolean>();

  constructor(feed: HTMLElement, onChange: () => void) {
    super();
    this.feed = feed;
    this.onChange = onChange;
    this.observer = new IntersectionObserver((records) => this.recordVisible(records), { root: feed });
    this.register(toDisposable(() => this.observer.disconnect()));
  }

  get count(): number {
    return [...this.groups.values()].filter((isVisible) => isVisible).length;
  }

  /** Updates the watched requests after some were added or removed. */
  refresh(): void {
    if (this.isDisposed) return;
    const found = new Set<Element>(this.feed.querySelectorAll('.pl-perm, .pl-asks'));
    for (const group of this.groups.keys()) {
      if (found.has(group)) continue;
      this.observer.unobserve(group);
      this.groups.delete(group);
    }
    const fresh = [...found].filter((group) => !this.groups.has(group));
    for (const group of fresh) {
      this.groups.set(group, false);
      this.observer.observe(group);
    }
    // Every newly watched element is reported once, so the change must be reported here only if there is none.
    if (fresh.length === 0) this.onChange();
  }

  private recordVisible(records: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of records) {
      if (this.groups.has(target)) this.groups.set(target, isIntersecting);
    }
    this.onChange();
  }
}
