import { html, type TemplateResult } from 'lit-html';

/** Returns a codicon (names in media/codicons.txt) that is hidden from screen readers. `extra` are additional classes, such as a color. */
export function icon(name: string, extra = ''): TemplateResult {
  return html`<i class="codicon codicon-${name} ${extra}" aria-hidden="true"></i>`;
}
