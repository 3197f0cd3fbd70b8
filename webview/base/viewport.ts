/** Reports once when an element comes near the visible part of the transcript, so that elements out of sight cost nothing. */
export class Viewport {
  private readonly waiting = new Map<Element, () => void>();
  private readonly observer: IntersectionObserver;

  /** `root` is the scrolling element. */
  constructor(root: HTMLElement) {
    this.observer = new IntersectionObserver(
      (records) => {
        for (const record of records) if (record.isIntersecting) this.report(record.target);
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
    this.observer.unobserve(element);
  }

  private report(element: Element): void {
    const action = this.waiting.get(element);
    this.forget(element);
    action?.();
  }
}
