import { toDisposable, type IDisposable } from '../../shared/values/disposable';
import type { ToWebview } from '../../shared/pages/messages';
import type { Handlers } from '../pages/handlers';
import { noticeText, type OsNotice } from './osNotifier';

/** How long a page may take to answer, in milliseconds. A page that is being loaded may never do. */
const patience = 1000;

interface Waiting {
  readonly answer: (isShown: boolean) => void;
  readonly onClick: () => void;
}

/**
 * Shows notifications of the operating system by way of a chat page (docs/adr/0018). The page is where the user is, so
 * this works in remote windows, too.
 */
export class PageNotifier {
  private readonly post: (message: ToWebview) => boolean;
  private readonly notices = new Map<string, Waiting>();
  private count = 0;

  /** The handlers of the page's answers. */
  readonly handlers: Handlers<'notificationShown' | 'notificationClicked'> = {
    notificationShown: (_page, { id, isShown }) => this.notices.get(id)?.answer(isShown),
    notificationClicked: (_page, { id }) => this.notices.get(id)?.onClick(),
  };

  /** `post` sends to a page, and returns false if there is none. */
  constructor(post: (message: ToWebview) => boolean) {
    this.post = post;
  }

  /** Resolves to what withdraws the notification, or to undefined if it can't be shown. */
  async show(notice: OsNotice, onClick: () => void): Promise<IDisposable | undefined> {
    this.count += 1;
    const id = `parley-${this.count}`;
    const title = noticeText(notice.title);
    const body = noticeText(notice.body);
    const isShown = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), patience);
      const answer = (shown: boolean) => {
        clearTimeout(timer);
        resolve(shown);
      };
      this.notices.set(id, { answer, onClick });
      if (!this.post({ type: 'notify', id, title, body })) answer(false);
    });
    const withdraw = toDisposable(() => {
      this.notices.delete(id);
      this.post({ type: 'withdrawNotification', id });
    });
    if (isShown) return withdraw;
    // A late answer must not leave a second notification behind.
    withdraw.dispose();
    return undefined;
  }
}
