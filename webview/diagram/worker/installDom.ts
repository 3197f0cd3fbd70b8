import { parseHTML } from 'linkedom';
import { boxOf, matrixOf, transformed, union, type Box } from './boxes';
import { pathLength } from './pathPoints';
import { TextMeasure, type MeasureText } from './textBox';
import { isTextProperty, TextRules } from './textStyle';

/** How wide and high the place for a drawing is, in px. */
const stageSide = 1000;

/** The document in which Mermaid draws, and what measures its texts. */
export interface DrawingDom {
  readonly document: Document;
  /** Empties the document, and returns the place for the next drawing. */
  readonly stage: () => HTMLElement;
}

/** Makes a document of a library the global one of this worker, which has none. Its elements can be measured. */
export function installDom(measureText: MeasureText, isColor: (value: string) => boolean): DrawingDom {
  const { document, Element, HTMLCanvasElement, HTMLImageElement } = parseHTML(
    '<!doctype html><html><head></head><body></body></html>',
  );
  let measure: TextMeasure | undefined;
  let styles = '';
  /** The rules of the drawing’s style element. They are read again if it changes. */
  const current = (): TextMeasure => {
    // Mermaid puts its style element first.
    const css = document.body.firstElementChild?.querySelector('svg')?.firstElementChild?.firstChild?.nodeValue ?? '';
    if (!measure || css !== styles) {
      styles = css;
      measure = new TextMeasure(new TextRules(css), measureText);
    }
    return measure;
  };
  const own = (element: Element): Box | undefined => {
    const texts = current();
    return boxOf(element, (text) => texts.boxOf(text));
  };
  const onPage = (element: Element): Box | undefined => {
    if (element.namespaceURI !== 'http://www.w3.org/2000/svg') return undefined;
    let box = own(element);
    for (let at: Element | null = element; box && at; at = at.parentElement) box = transformed(box, matrixOf(at));
    return box;
  };
  Object.assign(Element.prototype, {
    getBBox(this: Element) {
      return rectOf(own(this));
    },
    getBoundingClientRect(this: Element) {
      return rectOf(onPage(this));
    },
    getComputedTextLength(this: Element) {
      return current().lengthOf(this);
    },
    getTotalLength(this: Element) {
      return pathLength(this.getAttribute('d') ?? '');
    },
    clientWidth: stageSide,
    clientHeight: stageSide,
  });
  // Nothing is loaded, so nobody waits for it.
  Object.assign(HTMLImageElement.prototype, { complete: true });
  // Cytoscape measures with one, in layouts whose lines it places, too.
  Object.assign(HTMLCanvasElement.prototype, {
    getContext: (kind: '2d') => new OffscreenCanvas(1, 1).getContext(kind),
  });
  const style = (element: Element) => {
    const value = (name: string) => {
      if (name === 'font-size') return `${current().fontSize(element)}px`;
      const inline = element.getAttribute('style') ?? '';
      const declared = inline.split(';').find((part) => part.trim().startsWith(`${name}:`));
      if (declared !== undefined) return declared.slice(declared.indexOf(':') + 1).trim();
      return isTextProperty(name) ? current().computed(element, name) : '0px';
    };
    return {
      getPropertyValue: value,
      fontSize: value('font-size'),
      fontFamily: value('font-family'),
      textAnchor: value('text-anchor'),
    };
  };
  Object.defineProperty(document, 'defaultView', { value: globalThis });
  Object.assign(globalThis, {
    window: globalThis,
    document,
    getComputedStyle: style,
    requestAnimationFrame: (then: (time: number) => void) => setTimeout(() => then(performance.now()), 0),
    cancelAnimationFrame: (id: number) => clearTimeout(id),
    screen: { availWidth: stageSide, availHeight: stageSide },
    Image: UnloadedImage,
    CSSStyleSheet: SheetOfRules,
    CSS: { supports: (_: string, value: string) => isColor(value), escape: escapeName },
  });
  return {
    document,
    stage: () => {
      document.body.textContent = '';
      const stage = document.createElement('div');
      document.body.append(stage);
      return stage;
    },
  };
}

function rectOf(box: Box | undefined): DOMRect {
  const { left, top, right, bottom } = union(box, undefined) ?? { left: 0, top: 0, right: 0, bottom: 0 };
  const [width, height] = [right - left, bottom - top];
  const rect = { x: left, y: top, left, top, right, bottom, width, height };
  return { ...rect, toJSON: () => rect };
}

function escapeName(name: string): string {
  return name.replace(/[^\w-]/gu, (character) => `\\${character}`);
}

/** A picture in a diagram: it isn't loaded, and the drawing goes on. */
class UnloadedImage {
  src = '';
  readonly naturalWidth = 1;
  readonly naturalHeight = 1;

  decode(): Promise<void> {
    return Promise.resolve();
  }
}

/** What Mermaid needs of a style sheet: rules that it can read again as text. */
class SheetOfRules {
  readonly cssRules: SheetRule[] = [];

  insertRule(cssText: string, index = 0): number {
    const [, selector, body] = /^([^{}]*)\{([^{}]*)\}\s*$/u.exec(cssText) ?? [];
    if (selector === undefined || body === undefined) throw new SyntaxError('This is not one rule of a style sheet.');
    this.cssRules.splice(index, 0, new SheetRule(selector, body));
    return index;
  }

  replaceSync(): void {
    this.cssRules.length = 0;
  }
}

class SheetRule {
  private readonly selector: string;
  private readonly declarations: string[];
  readonly style: { readonly length: number; setProperty(name: string, value: string): void };

  constructor(selector: string, body: string) {
    this.selector = selector;
    const declarations = body.split(';').filter((part) => part.trim() !== '');
    this.declarations = declarations;
    this.style = {
      get length() {
        return declarations.length;
      },
      setProperty: (name, value) => void declarations.push(`${name}: ${value}`),
    };
  }

  get cssText(): string {
    return `${this.selector}{${this.declarations.join(';')}}`;
  }
}
