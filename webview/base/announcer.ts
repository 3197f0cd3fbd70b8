/** Minimum time between two polite announcements, in milliseconds. */
const pause = 2000;
/**
 * How long an announcement stays in the page, in milliseconds. Then it is removed, so that users browsing the page don't come across old
 * news.
 */
const shown = 10_000;

/**
 * Announces sentences to screen readers: polite ones one at a time, where a newer one replaces a waiting one, and alerts immediately. The
 * two regions are otherwise empty and invisible.
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

  /** Announces an alert. Creates a new element each time, so that a repeated sentence is announced again. */
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
