import * as l10n from '@vscode/l10n';
import { html, render, type TemplateResult } from 'lit-html';
import { Disposable, toDisposable } from '../../src/shared/values/disposable';
import { isComposing } from '../base/composition';
import { keyLabel, pageKeys, type PageKey } from './pageKeys';

/** Where a typed question mark is text or a search. */
const fields = 'input, textarea, select, [contenteditable], [role=combobox], vscode-dropdown';

/**
 * The list of the page's keys, a dialog that opens with a question mark. Keys of commands are in VS Code's own editor, which knows how the
 * user has set them.
 */
export class KeyList extends Disposable {
  private readonly dialog = document.createElement('dialog');
  private readonly showCommands: () => void;

  constructor(root: HTMLElement, showCommands: () => void) {
    super();
    this.showCommands = showCommands;
    this.dialog.className = 'pl-keys';
    this.dialog.setAttribute('aria-labelledby', 'pl-keys-title');
    root.append(this.dialog);
    const onKey = (event: KeyboardEvent) => this.onKey(event);
    document.addEventListener('keydown', onKey);
    this.register(toDisposable(() => document.removeEventListener('keydown', onKey)));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== '?' || event.defaultPrevented || isComposing(event)) return;
    if (event.ctrlKey || event.altKey || event.metaKey || this.dialog.open) return;
    if (event.target instanceof Element && event.target.closest(fields)) return;
    event.preventDefault();
    event.stopPropagation();
    this.open();
  }

  private open(): void {
    const isMac = navigator.userAgent.includes('Mac');
    render(
      html`<h2 id="pl-keys-title" tabindex="-1" autofocus>${l10n.t('Keys in the chat')}</h2>
        ${pageKeys().map(
          ({ part, keys }) =>
            html`<h3>${part}</h3>
              <dl>${keys.map((key) => row(key, isMac))}</dl>`,
        )}
        <div class="btns">
          <button type="button" class="btn primary" @click=${() => this.dialog.close()}>${l10n.t('Close')}</button>
          <button type="button" class="btn link" @click=${() => this.openCommands()}>
            ${l10n.t('Keys of commands')}
          </button>
        </div>`,
      this.dialog,
    );
    // The heading gets the focus, so that the list begins at its top and is read from there.
    this.dialog.showModal();
  }

  private openCommands(): void {
    this.dialog.close();
    this.showCommands();
  }
}

function row({ keys, does }: PageKey, isMac: boolean): TemplateResult {
  const isRange = keys[0] === '1';
  const labels = keys.map((key) => html`<kbd>${keyLabel(key, isMac)}</kbd>`);
  return html`<div>
    <dt>${labels.map((label, at) => (at === 0 ? label : html`${isRange ? '–' : ' '}${label}`))}</dt>
    <dd>${does}</dd>
  </div>`;
}
