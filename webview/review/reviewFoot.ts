import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PageComment } from '../../src/shared/changes/reviewPage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { countWords } from './commentStrip';
import type { DecisionKey } from './heldPresses';
import { footKeys, type KeyRow } from './keyHelp';

/** The foot of the page: its keys, the key that waits, and what is selected to be sent, with the one button that sends it. */
export function reviewFoot(
  keys: readonly KeyRow[],
  held: DecisionKey | undefined,
  chosen: readonly PageComment[],
  send: () => void,
): TemplateResult {
  return html`${footKeys(keys)}
    <span class="grow"></span>
    <span class="held" role="status">${held === undefined ? '' : heldWords(held)}</span>
    ${
      chosen.length === 0
        ? nothing
        : html`<span class="clip count">${countWords(chosen)}</span>
            <button type="button" class="btn sm" @click=${send}>${sendWords(chosen)}</button>`
    }`;
}

/** Says what a key does in a moment. */
export function heldWords(held: DecisionKey): string {
  return held === 'keep' || held === 'keepFile'
    ? l10n.t('Keeps in a moment. Escape takes it back.')
    : l10n.t('Undoes in a moment. Escape takes it back.');
}

function sendWords(chosen: readonly PageComment[]): string {
  const targets = new Set(chosen.map(({ target }) => target));
  const [target = ''] = targets;
  if (targets.size > 1) return l10n.t('Send to {0} agents', targets.size);
  return target === '' ? l10n.t('Send') : l10n.t('Send to {0}', showHiddenOnOneLine(target));
}
