import { html, type TemplateResult } from 'lit-html';

/** A codicon (names in media/codicons.txt), invisible to screen readers; `extra` are further classes, such as a colour. */
export function icon(name: string, extra = ''): TemplateResult {
  return html`<i class="codicon codicon-${name} ${extra}" aria-hidden="true"></i>`;
}
