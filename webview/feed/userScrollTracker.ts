import { Disposable, toDisposable } from '../../src/shared/disposable';

/** How long scrolling counts as the user's after wheel, key, or touch input, in milliseconds. */
const afterglowMs = 1000;

/** Tracks whether the user is scrolling an element: with the wheel, a key, touch, its scroll bar, or by focusing something in it. */
export class UserScrollTracker extends Disposable {
  private isHeld = false;
  private movedAt = -Infinity;

  constructor(element: HTMLElement) {
    super();
    const moved = () => (this.movedAt = performance.now());
    const down = () => (this.isHeld = true);
    const up = ({ buttons }: PointerEvent) => {
      if (this.isHeld && buttons === 0) moved();
      // Releasing a scroll bar is reported only with the next pointer move.
      if (buttons === 0) this.isHeld = false;
    };
    const listeners = [
      ['wheel', moved],
      ['keydown', moved],
      ['focusin', moved],
      ['touchmove', moved],
      ['pointerdown', down],
      ['pointermove', up],
      ['pointerup', up],
      ['pointercancel', up],
    ] as const;
    for (const [name, listener] of listeners) {
      element.addEventListener(name, listener as EventListener, { passive: true });
      this.register(toDisposable(() => element.removeEventListener(name, listener as EventListener)));
    }
  }

  get isAtWork(): boolean {
    return this.hasWorkedSince(performance.now() - afterglowMs);
  }

  /** `time` is a value of `performance.now()`. */
  hasWorkedSince(time: number): boolean {
    return this.isHeld || this.movedAt > time;
  }
}
