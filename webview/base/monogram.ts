import { html, type TemplateResult } from 'lit-html';

/**
 * Returns one or two letters for an agent's name: the first letter, and the first letter of the second word or camel-case part.
 */
export function monogramOf(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const letters = words.slice(0, 2).map((word) => (/^./u.exec(word)?.[0] ?? '').toUpperCase());
  return letters.join('') || '?';
}

/**
 * Returns the monograms of several agents by name. Of those that would have the same one, each gets its first letter and the next letter of
 * its name that no other has there: Claude, Codex, and Copilot are Cl, Co, and Cp. The order of the names doesn't matter.
 * Names in `kept` keep their monograms.
 */
export function monogramsOf(
  names: readonly string[],
  kept: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const sorted = [...new Set(names)].filter((name) => !kept.has(name)).sort();
  const all = new Map([...kept, ...sorted.map((name) => [name, monogramOf(name)] as const)]);
  const used = new Set(kept.values());
  for (const same of new Set(sorted.map(monogramOf))) {
    const alike = sorted.filter((name) => monogramOf(name) === same);
    if (alike.length < 2 && !used.has(same)) continue;
    const taken = new Set([...all].filter(([name]) => !alike.includes(name)).map(([, letters]) => letters));
    for (const name of alike) {
      const [first = '?', ...rest] = name.match(/[\p{L}\p{N}]/gu) ?? [];
      const found = rest.map((letter) => first.toUpperCase() + letter.toLowerCase()).find((two) => !taken.has(two));
      if (found === undefined) continue;
      taken.add(found);
      all.set(name, found);
    }
  }
  return all;
}

/** The monograms of the agents that the page has. */
let distinct: ReadonlyMap<string, string> = new Map();

/**
 * Gives each of the page's agents its own monogram, which never changes in this page. Must be called with all their names
 * before they are drawn. `own` are the user's agents, `others` are offered to them and come and go. `earlier` are the monograms
 * that the page had before it was loaded again. Returns those of the user's agents.
 */
export function distinguishAgents(
  own: readonly string[],
  others: readonly string[],
  earlier: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const known = monogramsOf(own, new Map([...earlier, ...distinct]));
  distinct = monogramsOf(others, known);
  return new Map([...known].filter(([name]) => own.includes(name)));
}

/** Returns the agent's mark: 16 px, or 28 px in lists. */
export function monogram(name: string, size: 'small' | 'large' = 'small'): TemplateResult {
  const letters = distinct.get(name) ?? monogramOf(name);
  // Drawn by the style sheet, because letters in the document would be part of the visible text of a button.
  return html`<span
    class="mono-mark ${size === 'large' ? 'l' : ''}"
    data-letters=${letters}
    aria-hidden="true"
  ></span>`;
}

/** Returns the agent's mark in a list: its icon in the text's color, or else its monogram. */
export function agentMark(name: string, icon: string | undefined): TemplateResult {
  // Only a data URL of the host's own list: no address from outside can get into the style.
  if (icon === undefined || !/^data:image\/svg\+xml;base64,[\w+/=]+$/.test(icon)) return monogram(name, 'large');
  return html`<span class="mono-mark l icon" aria-hidden="true" .style=${`--pl-agent-icon: url("${icon}")`}></span>`;
}
