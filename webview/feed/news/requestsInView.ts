import { Disposable, toDisposable } from '../../../src/shared/values/disposable';
import { keyedAttribute } from '../../entries/request/permission';

/**
 * Counts the open requests that the reader can see. A request whose card isn't laid out counts as out of sight. Calls `onChange` when the
 * count may have changed. Marks the oldest permission request in sight: the keys 1, 2, 3 answer it unless another one has the focus. One
 * whose question is in sight comes before one whose last buttons are.
 */
export class RequestsInView extends Disposable {
  private readonly feed: HTMLElement;
  private readonly onChange: () => void;
  private readonly observer: IntersectionObserver;
  /** How much of each request is in sight. */
  private readonly groups = new Map<Element, 'none' | 'end' | 'question'>();
  /** The requests from top to bottom. */
  private order: readonly Element[] = [];

  constructor(feed: HTMLElement, onChange: () => void) {
    super();
    this.feed = feed;
    this.onChange = onChange;
    this.observer = new IntersectionObserver((records) => this.recordVisible(records), {
      root: feed,
      threshold: [0, 0.25, 0.5, 0.75, 1],
    });
    this.register(toDisposable(() => this.observer.disconnect()));
  }

  get count(): number {
    return [...this.groups.values()].filter((part) => part !== 'none').length;
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
    this.order = [...found];
    this.mark();
    const fresh = [...found].filter((group) => !this.groups.has(group));
    for (const group of fresh) {
      this.groups.set(group, 'none');
      this.observer.observe(group);
    }
    // Every newly watched element is reported once, so the change must be reported here only if there is none.
    if (fresh.length === 0) this.onChange();
  }

  private recordVisible(records: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect, intersectionRect } of records) {
      if (!this.groups.has(target)) continue;
      const startsInSight = intersectionRect.top - boundingClientRect.top < 1;
      this.groups.set(target, isIntersecting ? (startsInSight ? 'question' : 'end') : 'none');
    }
    this.mark();
    this.onChange();
  }

  private mark(): void {
    const requests = this.order.filter((group) => group.matches('.pl-perm'));
    const oldest =
      requests.find((group) => this.groups.get(group) === 'question') ??
      requests.find((group) => this.groups.get(group) === 'end');
    for (const group of this.order) group.toggleAttribute(keyedAttribute, group === oldest);
  }
}
