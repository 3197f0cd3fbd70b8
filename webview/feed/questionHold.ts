/**
 * Keeps an open question where it is on screen while more comes above and below it: whoever is about to answer must hit what
 * they aim at. A question is held from when all of it is in sight, or a hand is at it.
 */
export class QuestionHold {
  private readonly feed: HTMLElement;
  /** What of the open questions is to be answered: their buttons, with all that belongs to them. */
  private readonly questions: () => readonly HTMLElement[];
  private held: HTMLElement | undefined;
  /** Below the top of the feed, in px. */
  private place = 0;

  constructor(feed: HTMLElement, questions: () => readonly HTMLElement[]) {
    this.feed = feed;
    this.questions = questions;
  }

  get isHolding(): boolean {
    return this.held !== undefined;
  }

  /**
   * To be called after each layout: brings the held question back to its place, or, where there is none, takes one that is in
   * sight unless it is too early for that. Returns whether one is held.
   */
  keep(mayTake: boolean): boolean {
    const open = this.questions();
    if (this.held && (!open.includes(this.held) || !this.held.isConnected)) this.held = undefined;
    if (this.held) {
      this.feed.scrollTop += this.distance(this.held);
      // Parts of pixels are lost on the way, and must not add up; where there is nothing to scroll, the place is another one.
      if (Math.abs(this.box(this.held).top - this.place) >= 1) this.note();
    } else if (mayTake) {
      this.held = open.find((question) => this.isInSight(question));
      this.note();
    }
    return this.isHolding;
  }

  /** The reader has scrolled: the held question's place is now where it is, if it can be seen still. */
  follow(): void {
    if (this.held && !this.canBeSeen(this.held)) this.held = undefined;
    this.note();
  }

  release(): void {
    this.held = undefined;
  }

  private note(): void {
    if (this.held) this.place = this.box(this.held).top;
  }

  /** How far it is from its place; where that is cut off below, such as by a message that grows, from the place just above. */
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
