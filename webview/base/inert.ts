/**
 * How long the buttons of a request wait after they appear, in milliseconds. A press in that time is held until it is over, and the user can
 * take it back.
 */
export const inertMs = 500;

/** A press that comes sooner can't be meant for what has just appeared: nobody sees, reads, and presses in that time. In milliseconds. */
const soonestMs = 200;

/** How far the pointer must move to be aimed at what has appeared under it, in px. */
const aimed = 4;

/** What became of a press. */
export type Press = 'done' | 'held' | 'refused';

/** Where the pointer is on the page. Undefined until it has moved there. */
let pointer: { readonly x: number; readonly y: number } | undefined;
let isFollowed = false;

function followPointer(): void {
  if (isFollowed) return;
  isFollowed = true;
  const follow = ({ clientX, clientY }: PointerEvent) => (pointer = { x: clientX, y: clientY });
  for (const event of ['pointermove', 'pointerdown'] as const) {
    document.addEventListener(event, follow, { capture: true, passive: true });
  }
}

/** Prevents accidental presses of the buttons of a request that has just appeared or moved. */
export class Inert {
  private readonly element: HTMLElement;
  private readonly onHeld: (isHeld: boolean) => void;
  private place = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private underTimer: ReturnType<typeof setTimeout> | undefined;
  private held: (() => void) | undefined;
  /** From when on presses count. */
  private from = Number.POSITIVE_INFINITY;
  /** When the buttons came under the pointer, and where it was. */
  private under: { readonly at: number; readonly x: number; readonly y: number } | undefined;

  /** `onHeld` is called when a press begins or ends to be held. */
  constructor(element: HTMLElement, onHeld: (isHeld: boolean) => void = () => undefined) {
    this.element = element;
    this.onHeld = onHeld;
    followPointer();
  }

  /** Whether presses count at once. */
  get isOver(): boolean {
    return performance.now() >= this.from;
  }

  /** Must be called when the request appears, or changes. A press that is held was meant for what was there before. */
  arm(): void {
    this.drop();
    this.from = performance.now() + inertMs;
    delete this.element.dataset['ready'];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), inertMs);
  }

  /** Makes presses count from now on. */
  end(): void {
    this.leavePointer();
    this.begin();
  }

  /**
   * Does what a press asks for: at once, or when the wait is over, unless it is taken back with Escape. Refuses a press that can't be meant
   * for this request: one that came too soon, or from a pointer under which the buttons have come.
   */
  press(by: 'key' | 'pointer', act: () => void): Press {
    if (by === 'pointer' && !this.isAimed()) return 'refused';
    if (this.isOver) {
      act();
      return 'done';
    }
    if (performance.now() < this.from - inertMs + soonestMs) return 'refused';
    this.drop();
    this.held = act;
    document.addEventListener('keydown', this.takeBack, true);
    this.onHeld(true);
    return 'held';
  }

  /**
   * Must be called after each layout that may have moved the request. If it moved under the pointer, clicks wait anew, unless `isMeant`: one
   * may be aimed at another button. Keys are aimed at the request, wherever it is.
   */
  checkPlace(isMeant = false): void {
    const box = this.element.getBoundingClientRect();
    const place = [box.left, box.top, box.width, box.height].map(Math.round).join(' ');
    if (place === this.place) return;
    this.place = place;
    if (isMeant || !pointer || !contains(box, pointer)) return;
    this.under = { ...pointer, at: performance.now() };
    delete this.element.dataset['ready'];
    clearTimeout(this.underTimer);
    this.underTimer = setTimeout(() => this.leavePointer(), inertMs);
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.underTimer);
    this.drop();
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.from = Math.min(this.from, performance.now());
    this.showReady();
    const { held } = this;
    this.drop();
    held?.();
  }

  private leavePointer(): void {
    clearTimeout(this.underTimer);
    this.under = undefined;
    this.showReady();
  }

  /** Says that keys and clicks count. */
  private showReady(): void {
    if (this.isOver && !this.under) this.element.dataset['ready'] = 'true';
  }

  private isAimed(): boolean {
    const { under } = this;
    if (!under) return true;
    const since = performance.now() - under.at;
    const way = pointer ? Math.hypot(pointer.x - under.x, pointer.y - under.y) : 0;
    return since >= inertMs || (since >= soonestMs && way >= aimed);
  }

  private readonly takeBack = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.drop();
  };

  private drop(): void {
    if (!this.held) return;
    this.held = undefined;
    document.removeEventListener('keydown', this.takeBack, true);
    this.onHeld(false);
  }
}

function contains(
  { left, right, top, bottom }: DOMRect,
  { x, y }: { readonly x: number; readonly y: number },
): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
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
