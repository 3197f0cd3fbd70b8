import { html, type TemplateResult } from 'lit-html';

/** Shorter names always fit. */
const maxWhole = 16;
/** The number of characters at the end that always stay in sight. */
const tailLength = 9;

/**
 * Renders a file name that is shortened in its middle if it doesn't fit, so that its beginning, its last word, and its extension stay in
 * sight. Screen readers get the name in one piece.
 */
export function fileName(name: string): TemplateResult | string {
  const letters = Array.from(name);
  if (letters.length <= maxWhole) return name;
  const head = letters.slice(0, -tailLength).join('');
  const tail = letters.slice(-tailLength).join('');
  return html`<span class="sr">${name}</span
    ><span class="pl-name" aria-hidden="true"
      ><span class="clip">${head}</span><span class="tail"><bdi>${tail}</bdi></span></span
    >`;
}
