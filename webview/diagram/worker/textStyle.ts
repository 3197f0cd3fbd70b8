/** The properties that decide where a text is, and how large. */
export const textProperties = [
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'text-anchor',
  'dominant-baseline',
  'alignment-baseline',
] as const;
export type TextProperty = (typeof textProperties)[number];

export function isTextProperty(name: string): name is TextProperty {
  return textProperties.some((property) => property === name);
}

interface Rule {
  readonly matches: (element: Element) => boolean;
  readonly weight: number;
  readonly values: ReadonlyMap<TextProperty, string>;
}

/** The rules about texts of a drawing's style element. */
export class TextRules {
  private readonly rules: readonly Rule[];

  constructor(css: string) {
    const rules: Rule[] = [];
    for (const [, selectors = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/gu)) {
      const values = declared(body);
      if (values.size === 0) continue;
      for (const selector of selectors.split(',').map((one) => one.trim())) {
        // What belongs to a rule with rules inside, such as the steps of an animation, isn't about texts.
        if (!selector.startsWith('#')) continue;
        rules.push({ matches: matcherOf(selector), weight: weightOf(selector), values });
      }
    }
    this.rules = rules.sort((one, other) => one.weight - other.weight);
  }

  /** What the rules say about an element. */
  of(element: Element, property: TextProperty): string | undefined {
    let value: string | undefined;
    for (const rule of this.rules) {
      const said = rule.values.get(property);
      if (said !== undefined && rule.matches(element)) value = said;
    }
    return value;
  }
}

/** Returns what an element's own style attribute, the rules, or its attribute say. */
export function ownValue(element: Element, property: TextProperty, rules: TextRules): string | undefined {
  return (
    declared(element.getAttribute('style') ?? '').get(property) ??
    rules.of(element, property) ??
    element.getAttribute(property) ??
    undefined
  );
}

function declared(body: string): Map<TextProperty, string> {
  const values = new Map<TextProperty, string>();
  for (const part of body.split(';')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(0, colon)).trim();
    if (isTextProperty(name))
      values.set(
        name,
        part
          .slice(colon + 1)
          .replace('!important', '')
          .trim(),
      );
  }
  return values;
}

function weightOf(selector: string): number {
  const count = (kind: RegExp) => selector.match(kind)?.length ?? 0;
  return count(/#[\w-]+/gu) * 10_000 + count(/[.[:][\w-]+/gu) * 100 + count(/(?:^|[\s>+~])[a-z]+/giu);
}

/**
 * Returns what tells whether a selector matches. Those that Mermaid writes most are read here, because the document would read each of them
 * again for each text.
 */
function matcherOf(selector: string): (element: Element) => boolean {
  const steps = selector.split(/\s+/u);
  const isPlain = steps.every((step) => /^(?:[a-z][\w-]*)?(?:[.#][\w-]+)*$/iu.test(step) && step !== '');
  if (!isPlain) {
    return (element) => {
      try {
        return element.matches(selector);
      } catch {
        return false;
      }
    };
  }
  const tests = steps.map(simpleTest).reverse();
  return (element) => {
    let at: Element | null = element;
    for (const [index, test] of tests.entries()) {
      while (at && !test(at)) at = index === 0 ? null : at.parentElement;
      if (!at) return false;
      at = at.parentElement;
    }
    return true;
  };
}

function simpleTest(step: string): (element: Element) => boolean {
  const name = /^[a-z][\w-]*/iu.exec(step)?.[0].toLowerCase();
  const id = /#([\w-]+)/u.exec(step)?.[1];
  const classes = [...step.matchAll(/\.([\w-]+)/gu)].map(([, one = '']) => one);
  return (element) =>
    (name === undefined || element.localName.toLowerCase() === name) &&
    (id === undefined || element.id === id) &&
    (classes.length === 0 || classes.every((one) => element.classList.contains(one)));
}
