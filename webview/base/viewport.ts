/** How long elements are reported within one frame, in milliseconds. The rest waits for the next one. */
const frameMs = 12;

/**
 * Reports once when an element comes near the visible part of the transcript, so that elements out of sight cost nothing. If many come near
 * at once, those in sight are first, and others wait for the next frames.
 */
export class Viewport {
  private readonly waiting = new Map<Element, () => void>();
  private readonly near = new Set<Element>();
  private readonly observer: IntersectionObserver;
  private isAsked = false;

  /** `root` is the scrolling element. */
  constructor(root: HTMLElement) {
    this.observer = new IntersectionObserver(
      (records) => {
        const { top, bottom } = root.getBoundingClientRect();
        const isInSight = ({ boundingClientRect: box }: IntersectionObserverEntry) =>
          box.bottom > top && box.top < bottom;
        const near = records.filter(({ isIntersecting }) => isIntersecting);
        for (const record of near) if (isInSight(record)) this.near.add(record.target);
        for (const record of near) this.near.add(record.target);
        if (!this.isAsked) this.reportNear();
      },
      { root, rootMargin: '600px 0px' },
    );
  }

  whenNear(element: Element, action: () => void): void {
    this.waiting.set(element, action);
    this.observer.observe(element);
  }

  forget(element: Element): void {
    this.waiting.delete(element);
    this.near.delete(element);
    this.observer.unobserve(element);
  }

  private reportNear(): void {
    const end = performance.now() + frameMs;
    for (const element of this.near) {
      this.report(element);
      if (performance.now() >= end) break;
    }
    this.isAsked = this.near.size > 0;
    if (this.isAsked) requestAnimationFrame(() => this.reportNear());
  }

  private report(element: Element): void {
    const action = this.waiting.get(element);
    this.forget(element);
    action?.();
  }
}
