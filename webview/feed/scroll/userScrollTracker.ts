import { Disposable, toDisposable } from '../../../src/shared/values/disposable';

/** How long scrolling counts as the user's after wheel, key, or touch input, in milliseconds. */
const afterglowMs = 1000;

/** The keys that scroll an element, or move the focus in it, which scrolls as well. */
const scrollKeys = new Set([
  'ArrowUp',
  'ArrowDown',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  'Tab',
  // Scrolls unless a control has the focus.
  ' ',
]);

/** What a key presses or types into, instead of scrolling. */
const controls = 'button, a[href], input, textarea, select, summary, [contenteditable], [role=button], [role=option]';

/**
 * Tracks whether the user is scrolling an element: with the wheel, a key that scrolls, touch, or its scroll bar. Other
 * keys, clicks, and a focus that the page moves don't count: what follows from them isn't the user's scrolling.
 */
export class UserScrollTracker extends Disposable {
  private readonly element: HTMLElement;
  private isHeld = false;
  private isOnBar = false;
  private movedAt = -Infinity;

  constructor(element: HTMLElement) {
    super();
    this.element = element;
    const moved = () => (this.movedAt = performance.now());
    const onKey = (event: KeyboardEvent) => {
      if (isScrollKey(event)) moved();
    };
    const down = (event: PointerEvent) => {
      this.isHeld = true;
      this.isOnBar = this.isBeside(event);
    };
    const up = ({ buttons }: PointerEvent) => {
      if (buttons !== 0) return;
      // Releasing a scroll bar is reported only with the next pointer move.
      if (this.isHeld && this.isOnBar) moved();
      this.isHeld = false;
    };
    const listeners = [
      ['wheel', moved],
      ['keydown', onKey],
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

  get isScrolling(): boolean {
    return this.hasWorkedSince(performance.now() - afterglowMs);
  }

  /** `time` is a value of `performance.now()`. */
  hasWorkedSince(time: number): boolean {
    return this.isHeld || this.movedAt > time;
  }

  /** Returns whether a pointer is on the element's own scroll bar. */
  private isBeside({ target, clientX }: PointerEvent): boolean {
    const { element } = this;
    if (target !== element) return false;
    const x = clientX - element.getBoundingClientRect().left - element.clientLeft;
    return x < 0 || x >= element.clientWidth;
  }
}

function isScrollKey({ key, target, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  if (!scrollKeys.has(key)) return false;
  if (key !== ' ') return true;
  if (ctrlKey || altKey || metaKey) return false;
  return !(target instanceof Element && target.closest(controls) !== null);
}
