import type { AnsiLine, AnsiRun, AnsiStyle } from './ansi';

const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];
/** The minimum contrast of VS Code's own terminal. */
const minimumContrast = 4.5;

interface Theme {
  readonly foreground: string;
  readonly background: string;
  readonly colors: readonly string[];
}

/** Draws styled terminal lines with the theme's current colors at a readable contrast. */
export class AnsiPainter {
  private readonly theme: Theme;
  private readonly readable = new Map<string, string>();

  constructor(element: HTMLElement) {
    const style = getComputedStyle(element);
    const token = (name: string) => style.getPropertyValue(`--vscode-terminal-${name}`).trim();
    this.theme = {
      foreground: toHex(style.color) ?? '#808080',
      background: toHex(style.backgroundColor) ?? '#000000',
      colors: ['ansi', 'ansiBright'].flatMap((prefix) => names.map((name) => token(prefix + name))),
    };
  }

  line(line: AnsiLine): HTMLElement {
    const element = document.createElement('div');
    for (const run of line) element.append(this.run(run));
    // Gives an empty line the height of a line.
    if (line.length === 0) element.append('\n');
    return element;
  }

  private run({ text, style }: AnsiRun): Node {
    const fg = this.colorOf(style.inverse ? (style.bg ?? this.theme.background) : style.fg, style.bold === true);
    const bg = this.colorOf(style.inverse ? (style.fg ?? this.theme.foreground) : style.bg, false);
    const classes = classesOf(style);
    if (fg === undefined && bg === undefined && classes === '') return new Text(text);
    const span = document.createElement('span');
    span.textContent = text;
    if (classes !== '') span.className = classes;
    if (bg !== undefined) span.style.backgroundColor = bg;
    if (fg !== undefined || bg !== undefined) {
      span.style.color = this.contrasting(fg ?? this.theme.foreground, bg ?? this.theme.background);
    }
    return span;
  }

  private colorOf(value: number | string | undefined, bright: boolean): string | undefined {
    if (typeof value !== 'number') return value;
    const index = bright && value < 8 ? value + 8 : value;
    return this.theme.colors[index] || this.theme.colors[index ^ 8] || undefined;
  }

  private contrasting(fg: string, bg: string): string {
    const key = `${fg} ${bg}`;
    let found = this.readable.get(key);
    if (found === undefined) {
      found = ensureContrast(fg, bg);
      this.readable.set(key, found);
    }
    return found;
  }
}

function classesOf(style: AnsiStyle): string {
  const flags = ['bold', 'dim', 'italic', 'underline', 'strike'] as const;
  return flags
    .filter((flag) => style[flag] === true)
    .map((flag) => `t-${flag}`)
    .join(' ');
}

function toHex(color: string): string | undefined {
  const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(color);
  if (!parts || parts[4] === '0') return undefined;
  return `#${[1, 2, 3].map((at) => Number(parts[at]).toString(16).padStart(2, '0')).join('')}`;
}

function channels(hex: string): [number, number, number] | undefined {
  const match = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(hex);
  if (!match) return undefined;
  return [1, 2, 3].map((at) => Number.parseInt(match[at] ?? '0', 16)) as [number, number, number];
}

function luminance(rgb: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast of two colors according to https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio */
export function contrastRatio(a: readonly number[], b: readonly number[]): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Moves `fg` toward black or white until it is readable on `bg`. Both must be `#rrggbb`; any other `fg` is returned unchanged. */
export function ensureContrast(fg: string, bg: string): string {
  const front = channels(fg);
  const back = channels(bg);
  if (!front || !back || contrastRatio(front, back) >= minimumContrast) return fg;
  const goal = luminance(back) < 0.18 ? 255 : 0;
  for (let part = 0.1; part < 1; part += 0.1) {
    const mixed = front.map((value) => Math.round(value + (goal - value) * part));
    if (contrastRatio(mixed, back) >= minimumContrast) {
      return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    }
  }
  return goal === 255 ? '#ffffff' : '#000000';
}
