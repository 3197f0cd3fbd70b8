import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ProviderProblem } from '../../src/shared/providers';
import { icon } from '../base/icon';

/** What is wrong with the field of this id, if anything is, below it. */
export function problemLine(id: string, problem: ProviderProblem | undefined): TemplateResult | typeof nothing {
  if (problem === undefined) return nothing;
  return html`<span class="bad-msg" id="${id}-bad">${icon('error', 'err')}<span>${problemWords(problem)}</span></span>`;
}

function problemWords(problem: ProviderProblem): string {
  switch (problem) {
    case 'missing':
      return l10n.t('Fill this in.');
    case 'notAddress':
      return l10n.t('Use a whole address, such as https://gateway.example/v1');
    case 'credentials':
      return l10n.t('Leave user and password out of the address: it is shown. Put them into a header.');
    case 'notName':
      return l10n.t('Use letters, digits and hyphens, such as X-Api-Key');
    case 'twice':
      return l10n.t('This header is there already. Change that one, or remove it.');
    case 'notValue':
      return l10n.t('Headers hold one line without such characters. See whether something else was copied along.');
    case 'noValue':
      return l10n.t('Write a value, or remove the header.');
  }
}
