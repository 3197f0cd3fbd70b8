import * as l10n from '@vscode/l10n';
import type { EntryId } from '../../../src/shared/values/ids';
import type { UserMessageEntry } from '../../../src/shared/transcript/transcript';
import { userText } from '../../entries/message/userMessage';
import type { EntryViews } from '../rows/entryViews';
import type { Rows } from '../rows/rows';
import type { RowWindow } from '../rows/rowWindow';

/** The part of a message that may be out of sight while the message counts as in sight, and the height of the pinned line, in px. */
const edge = 8;
const pinHeight = 30;

/** The first line of the user's message whose answer is being read, pinned at the top. A click scrolls to the message. */
export class PinnedMessage {
  private readonly feed: HTMLElement;
  private readonly button = document.createElement('button');
  private readonly text = document.createElement('span');
  private target: EntryId | undefined;

  /** `goTo` takes the reader to a message. */
  constructor(feed: HTMLElement, goTo: (id: EntryId) => void) {
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
      if (this.target !== undefined) goTo(this.target);
    });
  }

  attach(): void {
    if (!this.button.isConnected) this.feed.before(this.button);
  }

  /** Finds the last message above the part in view. It may have left the page. */
  update(rows: Rows, window: RowWindow, views: EntryViews): void {
    const top = this.feed.scrollTop;
    const first = window.rowAt(top, edge);
    const index = first?.index ?? rows.all.length;
    let above: UserMessageEntry | undefined;
    for (let at = index - 1; at >= 0 && !above; at--) {
      const entry = rows.entryOf(rows.all[at]);
      if (entry?.kind === 'user_message') above = entry;
    }
    const next = rows.all.slice(index, index + 4).find((row) => rows.entryOf(row)?.kind === 'user_message');
    const nextElement = next && views.get(next.id)?.element;
    // The next message is about to reach the pinned line, which must not cover it.
    const isCovered = nextElement !== undefined && nextElement.offsetTop < top + pinHeight;
    const shown = isCovered ? undefined : above;
    this.button.hidden = shown === undefined;
    if (shown === undefined || (shown.id === this.target && this.text.textContent !== '')) return;
    this.target = shown.id;
    const text = userText(shown.content).trim().split('\n')[0] ?? '';
    this.text.textContent = text;
    this.button.setAttribute('aria-label', l10n.t('Go to your message: {0}', text));
  }

  clear(): void {
    this.target = undefined;
    this.button.hidden = true;
  }
}
