import type { FromWebview } from '../../src/shared/pages/messages';

/**
 * Shows notifications of the operating system. VS Code on the desktop allows its pages to, since 2025; browsers don't, and
 * then the permission is denied and can't be asked for.
 */
export class PageNotifications {
  private readonly post: (message: FromWebview) => void;
  private readonly shown = new Map<string, Notification>();

  constructor(post: (message: FromWebview) => void) {
    this.post = post;
  }

  show(id: string, title: string, body: string): void {
    const answer = (isShown: boolean) => this.post({ type: 'notificationShown', id, isShown });
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') {
      answer(false);
      return;
    }
    const notification = new Notification(title, { body, tag: id, silent: true });
    this.shown.set(id, notification);
    notification.addEventListener('show', () => answer(true));
    notification.addEventListener('error', () => {
      this.shown.delete(id);
      answer(false);
    });
    notification.addEventListener('close', () => this.shown.delete(id));
    notification.addEventListener('click', () => {
      window.focus();
      this.post({ type: 'notificationClicked', id });
    });
  }

  withdraw(id: string): void {
    this.shown.get(id)?.close();
    this.shown.delete(id);
  }
}
