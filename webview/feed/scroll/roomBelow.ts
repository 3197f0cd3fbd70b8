/** The distance of a message from the upper edge of the transcript, in px. */
const gap = 8;
/** A message that is taller than this part of the transcript shows its end, so that the answer has room. */
const tallest = 0.5;

/**
 * The room below the last entry that lets the message just sent stand at the top of the transcript. It gets smaller as the answer grows,
 * and is gone when the answer fills the rest.
 */
export class RoomBelow {
  private readonly feed: HTMLElement;
  private readonly content: HTMLElement;
  private message: (() => HTMLElement | undefined) | undefined;
  private height = 0;

  /** `content` is the growing child of `feed`. */
  constructor(feed: HTMLElement, content: HTMLElement) {
    this.feed = feed;
    this.content = content;
  }

  /** Makes room for a message. `find` returns its element while it is on the page. */
  open(find: () => HTMLElement | undefined): void {
    this.message = find;
    this.update();
  }

  close(): void {
    this.message = undefined;
    this.set(0);
  }

  /** Must be called after each layout. Scrolled to the end, the message is at the top until the answer needs its place. */
  update(): void {
    const element = this.message?.();
    // A message far from the part in view leaves the page, and the room stays as it was.
    if (!element?.isConnected) return;
    const box = element.getBoundingClientRect();
    const { clientHeight } = this.feed;
    const top = Math.max(box.top - gap, box.bottom - clientHeight * tallest);
    const padding = Number.parseFloat(getComputedStyle(this.feed).paddingBottom);
    this.set(Math.max(0, clientHeight - padding - (this.content.getBoundingClientRect().bottom - top)));
  }

  private set(height: number): void {
    if (Math.abs(height - this.height) < 0.5) return;
    this.height = height;
    // A margin, because the content's own size is observed and says when the answer grows.
    this.content.style.marginBottom = height === 0 ? '' : `${height}px`;
  }
}
