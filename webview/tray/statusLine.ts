import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { SessionView } from '../../src/shared/transcript';
import { progressRing } from '../controls/controls';

/** While an agent starts or its session opens: says so in one line, with a way out. Nothing at any other time. */
export function statusLine(view: SessionView, cancel: () => void): TemplateResult | typeof nothing {
  const words = wordsFor(view);
  if (words === undefined) return nothing;
  return html`<div class="pl-status" role="status">
    ${progressRing()}<span class="clip grow">${words}</span
    ><button class="btn link sm" @click=${cancel}>${l10n.t('Cancel')}</button>
  </div>`;
}

function wordsFor(view: SessionView): string | undefined {
  switch (view.connection.state) {
    case 'starting':
      return l10n.t('Starting {0}', view.agentName);
    case 'opening':
      return l10n.t('Opening a session with {0}', view.agentName);
    case 'login':
    case 'ready':
    case 'closed':
      return undefined;
  }
}
