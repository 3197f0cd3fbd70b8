import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ProviderProblem } from '../../src/shared/pages/modelProviders';
import { icon } from '../base/icon';

/** Renders the problem of the field with this id below it, if it has one. */
export function problemLine(id: string, problem: ProviderProblem | undefined): TemplateResult | typeof nothing {
  if (problem === undefined) return nothing;
  return html`<span class="bad-msg" id="${id}-bad">${icon('error', 'err')}<span>${problemWords(problem)}</span></span>`;
}

function problemWords(problem: ProviderProblem): string {
  switch (problem) {
    case 'missing':
      return l10n.t('This field is required.');
    case 'notAddress':
      return l10n.t('Enter a full URL, such as https://gateway.example/v1');
    case 'credentials':
      return l10n.t('Don’t put a user name or password in the URL; it’s shown on screen. Use a header instead.');
    case 'notName':
      return l10n.t('Use letters, digits, and hyphens, such as X-Api-Key');
    case 'twice':
      return l10n.t('This header already exists. Edit or remove it.');
    case 'notValue':
      return l10n.t('This value contains characters that aren’t allowed in a header. Check what you pasted.');
    case 'noValue':
      return l10n.t('Enter a value or remove the header.');
  }
}
