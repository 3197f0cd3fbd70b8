import { html, type TemplateResult } from 'lit-html';

/**
 * Returns one or two letters for an agent's name: the first letter, and the first letter of the second word or camel-case part. Never a
 * vendor's logo.
 */
export function monogramOf(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const letters = words.slice(0, 2).map((word) => (/^./u.exec(word)?.[0] ?? '').toUpperCase());
  return letters.join('') || '?';
}

/** Returns the agent's mark: 16 px, or 28 px in lists. */
export function monogram(name: string, size: 'small' | 'large' = 'small'): TemplateResult {
  return html`<span class="mono-mark ${size === 'large' ? 'l' : ''}" aria-hidden="true">${monogramOf(name)}</span>`;
}
