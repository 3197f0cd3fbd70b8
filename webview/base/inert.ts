/** Answers count for nothing for so many milliseconds after they appear or move: nobody can have meant them yet. */
const inertMs = 500;

/** Keeps the buttons of a question from being hit by a hand that was on its way to something else. */
export class Inert {
  private readonly element: HTMLElement;
  private armedAt = Number.POSITIVE_INFINITY;
  private place = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLElement) {
    this.element = element;
  }

  /** Whether an answer counts now. */
  get isOver(): boolean {
    return performance.now() >= this.armedAt;
  }

  /** The question has appeared. */
  arm(): void {
    this.armedAt = performance.now() + inertMs;
    delete this.element.dataset['ready'];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), inertMs);
  }

  /** Answers count from now on. */
  end(): void {
    clearTimeout(this.timer);
    this.armedAt = Math.min(this.armedAt, performance.now());
    this.element.dataset['ready'] = 'true';
  }

  /** To be called after each layout that may have moved the question: it is inert again if it did, unless `isMeant`. */
  checkPlace(isMeant = false): void {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    const place = `${Math.round(left)} ${Math.round(top)} ${Math.round(width)} ${Math.round(height)}`;
    if (place === this.place) return;
    this.place = place;
    if (!isMeant) this.arm();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
