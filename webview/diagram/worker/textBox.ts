import { union, type Box } from './boxes';
import { ownValue, type TextProperty, type TextRules } from './textStyle';

/** How wide a text is, and how far it reaches above and below its line. */
export interface TextSize {
  readonly width: number;
  readonly above: number;
  readonly below: number;
}
export type MeasureText = (text: string, font: string) => TextSize;

const defaults: Readonly<Record<TextProperty, string>> = {
  'font-family': 'sans-serif',
  'font-size': '14px',
  'font-weight': 'normal',
  'font-style': 'normal',
  'text-anchor': 'start',
  'dominant-baseline': 'auto',
  'alignment-baseline': 'auto',
};
const keywordSizes: Readonly<Record<string, number>> = { small: 13, medium: 16, large: 18 };

/** Measures the texts of a drawing, as the image will show them. */
export class TextMeasure {
  private readonly rules: TextRules;
  private readonly measure: MeasureText;

  constructor(rules: TextRules, measure: MeasureText) {
    this.rules = rules;
    this.measure = measure;
  }

  /** What an element has as its own or by inheritance. */
  computed(element: Element, property: TextProperty): string {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const value = ownValue(at, property, this.rules);
      if (value !== undefined && value !== '' && value !== 'inherit') return value;
    }
    return defaults[property];
  }

  fontSize(element: Element): number {
    const value = ownValue(element, 'font-size', this.rules);
    const outer = () => (element.parentElement ? this.fontSize(element.parentElement) : 14);
    if (value === undefined || value === '' || value === 'inherit') return outer();
    const amount = Number.parseFloat(value);
    if (Number.isNaN(amount)) return keywordSizes[value] ?? outer();
    if (value.endsWith('rem')) return amount * 16;
    if (value.endsWith('em')) return amount * outer();
    if (value.endsWith('%')) return (amount * outer()) / 100;
    return value.endsWith('pt') ? (amount * 4) / 3 : amount;
  }

  /** The width of an element's text in one line. */
  lengthOf(element: Element): number {
    let length = 0;
    this.walk(element, (text, parent) => (length += this.sizeOf(text, parent).width));
    return length;
  }

  boxOf(text: Element): Box | undefined {
    let box: Box | undefined;
    let [x, y] = [0, 0];
    /** The parts of a line since it got its place, which its anchor moves as one. */
    let parts: Box[] = [];
    let anchor = 'start';
    const close = () => {
      const width = Math.max(0, ...parts.map(({ right }) => right)) - Math.min(...parts.map(({ left }) => left));
      const move = anchor === 'middle' ? -width / 2 : anchor === 'end' ? -width : 0;
      for (const { left, right, top, bottom } of parts) {
        box = union(box, { left: left + move, right: right + move, top, bottom });
      }
      parts = [];
    };
    this.walk(
      text,
      (content, parent) => {
        const { width, above, below } = this.sizeOf(content, parent);
        if (width === 0) return;
        const shift = this.baselineShift(parent, above, below);
        parts.push({ left: x, right: x + width, top: y + shift - above, bottom: y + shift + below });
        x += width;
      },
      (element) => {
        const place = (name: string) => this.lengthIn(element, name);
        const [newX, newY] = [place('x'), place('y')];
        if (newX !== undefined || newY !== undefined || element === text) {
          close();
          anchor = this.computed(element, 'text-anchor');
        }
        x = (newX ?? x) + (place('dx') ?? 0);
        y = (newY ?? y) + (place('dy') ?? 0);
      },
    );
    close();
    return box;
  }

  /** Visits the texts of an element in order, and each element before its texts. */
  private walk(
    element: Element,
    visit: (text: string, parent: Element) => void,
    enter: (element: Element) => void = () => undefined,
  ): void {
    enter(element);
    const keeps = /\bpreserve\b/u.test(element.getAttribute('xml:space') ?? '');
    for (const child of element.childNodes) {
      if (child.nodeType === 1) this.walk(child as Element, visit, enter);
      else if (child.nodeType === 3) {
        const text = child.nodeValue ?? '';
        visit(
          keeps ? text : text.replace(/\s+/gu, ' ').replace(/^ | $/gu, element.children.length > 0 ? ' ' : ''),
          element,
        );
      }
    }
  }

  private sizeOf(text: string, parent: Element): TextSize {
    const font = ['font-style', 'font-weight'] as const;
    const size = this.fontSize(parent);
    const words = font.map((property) => this.computed(parent, property));
    return this.measure(text, `${words.join(' ')} ${size}px ${this.computed(parent, 'font-family')}`);
  }

  private lengthIn(element: Element, name: string): number | undefined {
    const value = element.getAttribute(name);
    const amount = Number.parseFloat(value ?? '');
    if (value === null || Number.isNaN(amount)) return undefined;
    return value.trim().endsWith('em') ? amount * this.fontSize(element) : amount;
  }

  private baselineShift(element: Element, above: number, below: number): number {
    const own = ownValue(element, 'alignment-baseline', this.rules);
    switch (own === undefined || own === 'auto' || own === '' ? this.computed(element, 'dominant-baseline') : own) {
      case 'middle':
      case 'central':
        return (above - below) / 2;
      case 'hanging':
        return above * 0.8;
      case 'text-before-edge':
      case 'text-top':
      case 'before-edge':
        return above;
      case 'text-after-edge':
      case 'after-edge':
      case 'text-bottom':
      case 'ideographic':
        return -below;
      default:
        return 0;
    }
  }
}
