import type { FromWebview } from '../../src/shared/pages/messages';

/** Tells the host when the page gets or loses the focus. */
export class FocusReport {
  private readonly post: (message: FromWebview) => void;
  /** The host assumes that a new page doesn't have the focus. */
  private reported = false;

  constructor(post: (message: FromWebview) => void) {
    this.post = post;
    window.addEventListener('focus', () => this.report(true));
    window.addEventListener('blur', () => this.report(false));
  }

  /** What was reported before counted for the document that this one replaces. */
  restart(): void {
    this.reported = false;
    this.report(document.hasFocus());
  }

  private report(hasFocus: boolean): void {
    if (this.reported === hasFocus) return;
    this.reported = hasFocus;
    this.post({ type: 'focusChanged', hasFocus });
  }
}
