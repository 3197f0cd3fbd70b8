import { Disposable, toDisposable } from '../../src/shared/disposable';

/** So long after a turn of the wheel, a key or a touch is what scrolls the user's doing; milliseconds. */
const afterglowMs = 1000;

/** Knows whether the user is scrolling an element by hand: with the wheel, a key, a finger, its scroll bar, or by going to something in it. */
export class UserScrollTracker extends Disposable {
  private isHeld = false;
  private movedAt = -Infinity;

  constructor(element: HTMLElement) {
    super();
    const moved = () => (this.movedAt = performance.now());
    const down = () => (this.isHeld = true);
    const up = ({ buttons }: PointerEvent) => {
      if (this.isHeld && buttons === 0) moved();
      // A bar that is let go says so only with the next move of the pointer.
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

  /** `time` is one of `performance.now()`. */
  hasWorkedSince(time: number): boolean {
    return this.isHeld || this.movedAt > time;
  }
}
