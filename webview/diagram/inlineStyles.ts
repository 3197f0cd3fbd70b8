/** The properties that decide where a text is, and how large. */
const textProperties = [
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'letter-spacing',
  'line-height',
  'text-anchor',
  'dominant-baseline',
  'alignment-baseline',
];

/** The name of the elements that stand for styles while a diagram is drawn. */
export const styleData = 'pl-style';

/**
 * Runs a drawing of Mermaid, which sets style attributes and adds a style element. The page's policy forbids both, so while it runs, style
 * attributes are set through the CSS object model, and its style element is data that applies to nothing. Texts are measured with the
 * fonts and anchors of its rules: these alone apply to the page, below the drawing's id.
 */
export async function withoutInlineStyles<T>(draw: () => Promise<T>): Promise<T> {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const original = Object.getOwnPropertyDescriptor(Element.prototype, 'setAttribute');
  if (!original) throw new Error('Elements have no attributes.');
  const set = original.value as (this: Element, name: string, value: string) => void;
  Object.defineProperty(Element.prototype, 'setAttribute', {
    ...original,
    value: function (this: Element, name: string, value: string) {
      if (name === 'style' && (this instanceof SVGElement || this instanceof HTMLElement)) this.style.cssText = value;
      else set.call(this, name, value);
    },
  });
  Object.defineProperty(document, 'createElement', {
    configurable: true,
    value: (name: string) => createElement(name.toLowerCase(), sheet),
  });
  try {
    return await draw();
  } finally {
    Object.defineProperty(Element.prototype, 'setAttribute', original);
    Reflect.deleteProperty(document, 'createElement');
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  }
}

/** Creates an element. One for styles is data. Its rules about texts go to a style sheet when it gets them. */
function createElement(name: string, sheet: CSSStyleSheet): Element {
  const element = document.createElementNS('http://www.w3.org/1999/xhtml', name === 'style' ? styleData : name);
  if (name !== 'style') return element;
  Object.defineProperty(element, 'innerHTML', {
    configurable: true,
    get: () => element.textContent,
    set: (rules: string) => {
      element.textContent = rules;
      sheet.replaceSync(textRules(rules));
    },
  });
  return element;
}

/** Returns the rules about texts among those of a drawing. Each of them has the drawing's id first, as Mermaid writes them. */
export function textRules(css: string): string {
  const read = new CSSStyleSheet();
  read.replaceSync(css);
  return [...read.cssRules]
    .flatMap((rule) => {
      if (!(rule instanceof CSSStyleRule)) return [];
      if (!rule.selectorText.split(',').every((selector) => /^\s*#pl-diagram-\d+(?![\w-])/.test(selector))) return [];
      const own = textProperties.flatMap((name) => {
        const value = rule.style.getPropertyValue(name);
        return value === '' || value.includes('url(') ? [] : [`${name}: ${value};`];
      });
      return own.length === 0 ? [] : [`${rule.selectorText} { ${own.join(' ')} }`];
    })
    .join('\n');
}
