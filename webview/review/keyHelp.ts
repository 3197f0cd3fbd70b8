import * as l10n from '@vscode/l10n';
import { html, render, type TemplateResult } from 'lit-html';

/** Keys that do one thing, and what they do. */
export type KeyRow = readonly [keys: readonly string[], words: () => string];

/** Returns whether a key may do something on the page. Keys belong to fields, menus, and dialogs first. */
export function isForPage({ target, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  if (defaultPrevented || isComposing) return false;
  const fields = 'input, textarea, select, [contenteditable], [role="menu"], dialog';
  return !(target instanceof Element && target.closest(fields));
}

/** Renders the keys at the foot of a page. Screen readers have them from the list of all keys. */
export function footKeys(rows: readonly KeyRow[]): TemplateResult {
  return html`<span class="keys" aria-hidden="true"
    >${rows.map(
      ([keys, words]) =>
        html`<span class="k">${keys.map((key) => html`<kbd>${key}</kbd>`)}<span>${words()}</span></span>`,
    )}</span
  >`;
}

/** Shows all keys until the user closes the list. */
export function showKeys(parent: HTMLElement, rows: readonly KeyRow[]): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'pl-rkeys';
  dialog.setAttribute('aria-label', l10n.t('Keys'));
  render(
    html`<h2>${l10n.t('Keys')}</h2>
      <table>
        <tbody>
          ${rows.map(
            ([keys, words]) =>
              html`<tr>
                <th scope="row">${words()}</th>
                <td>${keys.map((key) => html`<kbd>${key}</kbd>`)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <button type="button" class="btn sm" @click=${() => dialog.close()}>${l10n.t('Close')}</button>`,
    dialog,
  );
  const before = document.activeElement;
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  });
  parent.append(dialog);
  dialog.showModal();
}
