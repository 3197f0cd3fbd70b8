/** At most one polite sentence in this many milliseconds. */
const pause = 2000;
/** A sentence is taken out again after this long, so that a reader who walks the page does not meet old news. */
const shown = 10_000;

/**
 * Speaks to screen readers: polite sentences one at a time, the newest winning while one is still fresh, and alerts at
 * once. The two regions are empty and invisible otherwise.
 */
export class Announcer {
  private readonly polite: HTMLElement;
  private readonly assertive: HTMLElement;
  private waiting: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private cleaner: ReturnType<typeof setTimeout> | undefined;

  constructor(parent: HTMLElement) {
    this.polite = document.createElement('div');
    this.polite.className = 'sr';
    this.polite.setAttribute('aria-live', 'polite');
    this.assertive = document.createElement('div');
    this.assertive.className = 'sr';
    parent.append(this.polite, this.assertive);
  }

  announce(sentence: string): void {
    if (this.timer !== undefined) {
      this.waiting = sentence;
      return;
    }
    this.say(sentence);
  }

  /** A new element each time, for a sentence that is said twice is an alert twice. */
  alert(sentence: string): void {
    const alert = document.createElement('div');
    alert.setAttribute('role', 'alert');
    alert.textContent = sentence;
    this.assertive.append(alert);
    setTimeout(() => alert.remove(), shown);
  }

  private say(sentence: string): void {
    this.polite.textContent = sentence;
    clearTimeout(this.cleaner);
    this.cleaner = setTimeout(() => {
      this.polite.textContent = '';
    }, shown);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const next = this.waiting;
      this.waiting = undefined;
      if (next !== undefined) this.say(next);
    }, pause);
  }
}
