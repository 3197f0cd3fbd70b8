import { html, type TemplateResult } from 'lit-html';

/**
 * Returns how many characters at the start of a name say least: the path of a model such as openrouter/vendor/model, or the whole words that
 * all names share.
 */
export function startToShorten(name: string, all: readonly string[] = []): number {
  const others = all.filter((other) => other !== name);
  let shared = others.length === 0 ? 0 : name.length;
  for (const other of others) while (!other.startsWith(name.slice(0, shared))) shared -= 1;
  const words = /^.*[\s/:_-]/s.exec(name.slice(0, shared))?.[0].length ?? 0;
  const start = Math.max(words, name.lastIndexOf('/') + 1);
  return start === name.length ? 0 : start;
}

/** Renders a name on one line that loses its start first, because its end differs from those of `all`. */
export function endingName(name: string, all: readonly string[] = [], className = ''): TemplateResult {
  const start = startToShorten(name, all);
  if (start === 0) return html`<span class="clip ${className}">${name}</span>`;
  return html`<span class="clip pl-ending ${className}"
    ><span class="clip">${name.slice(0, start)}</span><span class="clip">${name.slice(start)}</span></span
  >`;
}
