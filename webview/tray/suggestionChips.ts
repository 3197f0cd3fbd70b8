import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { showHiddenOnOneLine } from '../../src/shared/visibleText';

/** Renders what the agent suggests to say next. A click puts it into the message; nothing is sent. */
export function suggestionChips(
  suggestions: readonly string[],
  agentName: string,
  use: (text: string) => void,
): TemplateResult | typeof nothing {
  if (suggestions.length === 0) return nothing;
  const title = l10n.t('Suggested by {0}', agentName);
  return html`<div class="pl-suggest" role="group" aria-label=${title}>
    ${suggestions.map((text) => {
      const shown = showHiddenOnOneLine(text);
      return html`<button type="button" class="btn sec sm" dir="auto" title=${title} @click=${() => use(shown)}>
        ${shown}
      </button>`;
    })}
  </div>`;
}
