import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';

/** Renders what the agent suggests to say next. A click puts it into the message; nothing is sent. */
export function suggestionChips(
  suggestions: readonly string[],
  agentName: string,
  use: (text: string) => void,
): TemplateResult | typeof nothing {
  if (suggestions.length === 0) return nothing;
  const title = l10n.t('Suggested by {0}', agentName);
  return html`<div class="pl-suggest" role="group" aria-label=${title}>
    ${suggestions.map((text, index) => {
      const how = index === 0 ? l10n.t('{0}. Tab puts it into the empty message box.', title) : title;
      return html`<button type="button" class="btn sec sm" dir="auto" title=${how} @click=${() => use(text)}>
        ${text}
      </button>`;
    })}
  </div>`;
}
