/**
 * Keeps an open request at its place on screen while entries are added above and below it, so that a user about to answer clicks the
 * intended button. A request is held once it is entirely in sight or the user is using it.
 */
export class QuestionHold {
  private readonly feed: HTMLElement;
  /** Returns the interactive parts of the open requests: their buttons with everything that belongs to them. */
  private readonly questions: () => readonly HTMLElement[];
  private held: HTMLElement | undefined;
  /** Whether the held request was answered, so that the next one is to be brought into sight. */
  private wantsNext = false;
  /** The distance from the top of the feed in px. */
  private place = 0;

  constructor(feed: HTMLElement, questions: () => readonly HTMLElement[]) {
    this.feed = feed;
    this.questions = questions;
  }

  get isHolding(): boolean {
    return this.held !== undefined;
  }

  /**
   * Must be called after each layout: moves the held request back to its place. If none is held and `mayTake` is true, holds one that is in
   * sight. After an answer, the oldest request comes into sight first: keys answer it, so the user must see what it is about.
   * Returns whether one is held.
   */
  keep(mayTake: boolean): boolean {
    const open = this.questions();
    if (this.held && (!open.includes(this.held) || !this.held.isConnected)) {
      this.held = undefined;
      this.wantsNext = true;
    }
    if (this.held) {
      this.feed.scrollTop += this.distance(this.held);
      // Fractions of pixels are lost and must not accumulate. If there is nothing to scroll, the place has changed.
      if (Math.abs(this.box(this.held).top - this.place) >= 1) this.note();
    } else if (mayTake) {
      if (this.wantsNext) this.bring(open[0]);
      this.wantsNext = false;
      this.held = open.find((question) => this.isInSight(question));
      this.note();
    }
    return this.isHolding;
  }

  /** Must be called after the user scrolled: records the new place of the held request, if it is still visible. */
  follow(): void {
    if (this.held && !this.canBeSeen(this.held)) this.held = undefined;
    this.note();
  }

  release(): void {
    this.held = undefined;
    this.wantsNext = false;
  }

  /** Scrolls as little as needed to show a request with the whole entry that it belongs to, or else at least its buttons. */
  private bring(question: HTMLElement | undefined): void {
    const entry = question?.closest<HTMLElement>('article');
    if (!question || !entry) return;
    const room = this.feed.clientHeight;
    const { top, height } = this.box(entry);
    const buttons = this.box(question);
    if (height > room) this.feed.scrollTop += buttons.top + buttons.height - room;
    else if (top < 0) this.feed.scrollTop += top;
    else this.feed.scrollTop += Math.max(0, top + height - room);
  }

  private note(): void {
    if (this.held) this.place = this.box(this.held).top;
  }

  /**
   * Returns the distance of a request from its place. If it would be cut off below, for example by a growing message, from the place just
   * above.
   */
  private distance(question: HTMLElement): number {
    const { top, height } = this.box(question);
    const lowest = Math.max(0, this.feed.clientHeight - height);
    return top - Math.min(this.place, lowest);
  }

  private isInSight(question: HTMLElement): boolean {
    const { top, height } = this.box(question);
    if (height === 0) return false;
    if (top >= 0 && top + height <= this.feed.clientHeight) return true;
    return this.canBeSeen(question) && question.matches(':hover, :focus-within');
  }

  private canBeSeen(question: HTMLElement): boolean {
    const { top, height } = this.box(question);
    return top < this.feed.clientHeight && top + height > 0;
  }

  private box(question: HTMLElement): { readonly top: number; readonly height: number } {
    const { top, height } = question.getBoundingClientRect();
    return { top: top - this.feed.getBoundingClientRect().top - this.feed.clientTop, height };
  }
}
