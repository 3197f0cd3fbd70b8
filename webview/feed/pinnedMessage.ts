import * as l10n from '@vscode/l10n';

/** The first line of the user's message whose answer is being read, pinned at the top. A click scrolls to the message. */
export class PinnedMessage {
  private readonly feed: HTMLElement;
  private readonly button = document.createElement('button');
  private readonly text = document.createElement('span');
  private target: HTMLElement | undefined;

  constructor(feed: HTMLElement) {
    this.feed = feed;
    this.button.type = 'button';
    this.button.className = 'pl-pin';
    this.button.hidden = true;
    const glyph = document.createElement('i');
    glyph.className = 'codicon codicon-arrow-up s12';
    glyph.setAttribute('aria-hidden', 'true');
    this.text.className = 'clip';
    this.button.append(glyph, this.text);
    this.button.addEventListener('click', () => {
      this.target?.scrollIntoView({ block: 'start' });
      this.target?.focus({ preventScroll: true });
    });
  }

  attach(): void {
    if (!this.button.isConnected) this.feed.before(this.button);
  }

  /** Finds the last message that has scrolled out of sight entirely. `messages` must be oldest first. */
  update(messages: readonly HTMLElement[]): void {
    const top = this.feed.scrollTop;
    let low = 0;
    let high = messages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const message = messages[middle];
      if (message && message.offsetTop + message.offsetHeight - 8 < top) low = middle + 1;
      else high = middle;
    }
    const target = messages[low - 1];
    const next = messages[low];
    // The next message is about to reach the pinned line, which must not cover it.
    const isCovered = next !== undefined && next.offsetTop < top + 30;
    const shown = isCovered ? undefined : target;
    this.button.hidden = shown === undefined;
    if (shown === undefined || (shown === this.target && this.text.textContent !== '')) return;
    this.target = shown;
    const text = shown.querySelector('p')?.textContent.trim().split('\n')[0] ?? '';
    this.text.textContent = text;
    this.button.setAttribute('aria-label', l10n.t('Go to your message: {0}', text));
  }

  clear(): void {
    this.target = undefined;
    this.button.hidden = true;
  }
}
