import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { StartPageProps } from './startProps';

/** Says in a row that its agent is being added or updated. */
export function busyLine(words: string): TemplateResult {
  return html`<div class="s" role="status">${words}</div>`;
}

export function cancelButton(id: string, name: string, props: Pick<StartPageProps, 'post'>): TemplateResult {
  // The second click of a double click is still meant for the button that was here before.
  const cancel = ({ detail }: MouseEvent) => detail < 2 && props.post({ type: 'cancelOffered', id });
  return html`<button class="btn" aria-label=${l10n.t('Cancel installing {0}', name)} @click=${cancel}>
    ${l10n.t('Cancel')}
  </button>`;
}
