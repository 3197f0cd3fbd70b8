import * as l10n from '@vscode/l10n';
import { lengthWords, visibleText, type AskedText } from './askedText';

/** The full, wrapped text of a request. A long one scrolls, also with the keyboard, and shows its length. */
export class AskedBlock {
  readonly element = document.createElement('div');
  private readonly text = document.createElement('div');
  private readonly length = document.createElement('div');
  private shown: string | undefined;

  constructor() {
    this.text.className = 'text';
    this.text.setAttribute('role', 'group');
    this.text.tabIndex = 0;
    this.length.className = 'length';
    this.length.setAttribute('aria-hidden', 'true');
    this.element.append(this.text, this.length);
  }

  /** Sets the text of the open request. */
  set({ text, isCommand }: AskedText): void {
    this.element.className = isCommand ? 'pl-cmd' : 'pl-cmd words';
    if (this.shown === text) return;
    this.shown = text;
    this.text.textContent = visibleText(text);
    const length = lengthWords(text);
    const name = isCommand ? l10n.t('Command') : l10n.t('Tool');
    this.text.setAttribute('aria-label', length === '' ? name : l10n.t('{0}, {1}', name, length));
    this.length.textContent = length;
    this.length.hidden = length === '';
  }
}
