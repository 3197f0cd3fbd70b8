/**
 * How long the buttons of a request ignore clicks after they appear or move, in milliseconds, because the user can't have meant them yet.
 */
export const inertMs = 500;

/** Prevents accidental clicks on the buttons of a request that has just appeared or moved. */
export class Inert {
  private readonly element: HTMLElement;
  private armedAt = Number.POSITIVE_INFINITY;
  private place = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLElement) {
    this.element = element;
  }

  /** Whether clicks count now. */
  get isOver(): boolean {
    return performance.now() >= this.armedAt;
  }

  /** Must be called when the request appears. */
  arm(): void {
    this.armedAt = performance.now() + inertMs;
    delete this.element.dataset['ready'];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), inertMs);
  }

  /** Makes clicks count from now on. */
  end(): void {
    clearTimeout(this.timer);
    this.armedAt = Math.min(this.armedAt, performance.now());
    this.element.dataset['ready'] = 'true';
  }

  /** Must be called after each layout that may have moved the request. If it moved, clicks are ignored again, unless `isMeant`. */
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

/** Prevents a click aimed at one option from landing on another, because the agent changed the list while it was open. */
export class InertList {
  private shown: string | undefined;
  private inertUntil = 0;

  /** Whether a choice counts now. */
  get isOver(): boolean {
    return performance.now() >= this.inertUntil;
  }

  /** Must be called with each drawing of the list. `mayBeOpen` says whether the user can be aiming at an option. */
  follow(choices: readonly { readonly value: string; readonly label: string }[], mayBeOpen: boolean): void {
    const list = JSON.stringify(choices.map(({ value, label }) => [value, label]));
    if (mayBeOpen && this.shown !== undefined && this.shown !== list) this.inertUntil = performance.now() + inertMs;
    this.shown = list;
  }
}
