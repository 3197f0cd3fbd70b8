import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { SessionView } from '../../src/shared/transcript/transcript';
import { progressRing } from '../controls/controls';

/** Renders a status line with a cancel button while an agent starts or its session opens. Empty at all other times. */
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
