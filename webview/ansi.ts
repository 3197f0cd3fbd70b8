/** How a run of terminal text looks. Colours are palette numbers (0 to 15) or `#rrggbb`. */
export interface AnsiStyle {
  readonly fg?: number | string;
  readonly bg?: number | string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
  readonly strike?: boolean;
}

export interface AnsiRun {
  readonly text: string;
  readonly style: AnsiStyle;
}

export type AnsiLine = readonly AnsiRun[];

/** The colour of palette number `index` (16 to 255) as terminals agree on it: a 6 × 6 × 6 cube, then 24 greys. */
export function paletteColour(index: number): string {
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  if (index >= 232) {
    const grey = hex(8 + (Math.min(255, index) - 232) * 10);
    return `#${grey}${grey}${grey}`;
  }
  const cube = index - 16;
  const level = (step: number) => hex(step === 0 ? 0 : 55 + step * 40);
  return `#${level(Math.floor(cube / 36))}${level(Math.floor(cube / 6) % 6)}${level(cube % 6)}`;
}

// Operating system commands (titles, links, clipboard), strings, then control sequences, then single escapes.
const sequence =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[P^_X][^\u001b]*(?:\u001b\\|$)|\u001b\[([0-9:;<=>?]*)[ -/]*([@-~]|$)|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Whether the text moves the cursor about, so that only a terminal emulator shows it as it was meant. */
export function needsEmulator(output: string): boolean {
  return /\u001b\[[0-9;?]*[A-HJLMPSTdfr@]|\u001b\[\?1049|\u001b[78DEM]/.test(output);
}

interface Cursor {
  line: Cell[];
  column: number;
  style: AnsiStyle;
}

interface Cell {
  readonly char: string;
  readonly style: AnsiStyle;
}

/**
 * Plain terminal output as styled lines: colours and text attributes, carriage return, backspace, tab and "erase line".
 * Everything else an escape sequence may ask for (titles, links, clipboard, cursor moves) is dropped.
 */
export function parseAnsi(output: string): AnsiLine[] {
  const lines: AnsiLine[] = [];
  const cursor: Cursor = { line: [], column: 0, style: {} };
  const put = (text: string) => {
    const parts = text.split('\n');
    parts.forEach((part, index) => {
      if (index > 0) {
        lines.push(toRuns(cursor.line));
        cursor.line = [];
        cursor.column = 0;
      }
      write(cursor, part);
    });
  };
  let from = 0;
  for (const match of output.matchAll(sequence)) {
    put(output.slice(from, match.index));
    from = match.index + match[0].length;
    const final = match[2];
    if (final === 'm') cursor.style = applySgr(cursor.style, match[1] ?? '');
    else if (final === 'K') eraseLine(cursor, match[1] ?? '');
    else if (final === 'C') cursor.column += Math.min(1000, Number(match[1]) || 1);
    else if (match[0] === '\r') cursor.column = 0;
    else if (match[0] === '\b') cursor.column = Math.max(0, cursor.column - 1);
  }
  put(output.slice(from));
  lines.push(toRuns(cursor.line));
  return lines;
}

function write(cursor: Cursor, text: string): void {
  for (const char of text) {
    const width = char === '\t' ? 8 - (cursor.column % 8) : 1;
    while (cursor.line.length < cursor.column) cursor.line.push({ char: ' ', style: {} });
    for (let step = 0; step < width; step++) {
      cursor.line[cursor.column++] = { char: char === '\t' ? ' ' : char, style: cursor.style };
    }
  }
}

function eraseLine(cursor: Cursor, parameter: string): void {
  if (parameter === '' || parameter === '0') cursor.line.length = Math.min(cursor.line.length, cursor.column);
  else if (parameter === '2') cursor.line = [];
  else for (let at = 0; at < cursor.column; at++) cursor.line[at] = { char: ' ', style: {} };
}

function toRuns(cells: readonly Cell[]): AnsiLine {
  const runs: { text: string; style: AnsiStyle }[] = [];
  for (const cell of cells) {
    const last = runs.at(-1);
    if (last?.style === cell.style) last.text += cell.char;
    else runs.push({ text: cell.char, style: cell.style });
  }
  return runs;
}

const flags: Readonly<Record<number, AnsiStyle>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
};

function applySgr(style: AnsiStyle, parameters: string): AnsiStyle {
  const codes = parameters.split(/[;:]/).map(Number);
  let next: AnsiStyle = { ...style };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) next = {};
    else if (code === 38 || code === 48) {
      const colour = codes[at + 1] === 5 ? indexed(codes[at + 2] ?? 0) : rgb(codes.slice(at + 2, at + 5));
      at += codes[at + 1] === 5 ? 2 : 4;
      next = code === 38 ? { ...next, fg: colour } : { ...next, bg: colour };
    } else if (code >= 30 && code <= 37) next = { ...next, fg: code - 30 };
    else if (code >= 90 && code <= 97) next = { ...next, fg: code - 82 };
    else if (code >= 40 && code <= 47) next = { ...next, bg: code - 40 };
    else if (code >= 100 && code <= 107) next = { ...next, bg: code - 92 };
    else if (code === 39) delete (next as { fg?: unknown }).fg;
    else if (code === 49) delete (next as { bg?: unknown }).bg;
    else next = { ...next, ...flags[code] };
  }
  return next;
}

function indexed(index: number): number | string {
  return index < 16 ? index : paletteColour(index);
}

function rgb(parts: readonly number[]): string {
  const hex = (value = 0) =>
    Math.max(0, Math.min(255, value || 0))
      .toString(16)
      .padStart(2, '0');
  return `#${hex(parts[0])}${hex(parts[1])}${hex(parts[2])}`;
}
