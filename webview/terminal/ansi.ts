/** The style of a run of terminal text. Colors are palette numbers (0 to 15) or `#rrggbb`. */
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

/** Returns the standard color of palette number `index` (16 to 255): a 6 × 6 × 6 cube, then 24 grays. */
export function paletteColor(index: number): string {
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  if (index >= 232) {
    const gray = hex(8 + (Math.min(255, index) - 232) * 10);
    return `#${gray}${gray}${gray}`;
  }
  const cube = index - 16;
  const level = (step: number) => hex(step === 0 ? 0 : 55 + step * 40);
  return `#${level(Math.floor(cube / 36))}${level(Math.floor(cube / 6) % 6)}${level(cube % 6)}`;
}

// Operating system commands (titles, links, clipboard), strings, control sequences, and single escapes, in this order.
const sequence =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[P^_X][^\u001b]*(?:\u001b\\|$)|\u001b\[([0-9:;<=>?]*)[ -/]*([@-~]|$)|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Returns whether the text moves the cursor, so that only a terminal emulator shows it correctly. */
export function needsEmulator(output: string): boolean {
  return /\u001b\[[0-9;?]*[A-HJLMPSTdfr@]|\u001b\[\?1049|\u001b[78DEM]/.test(output);
}

interface Cursor {
  line: Cell[];
  column: number;
  style: AnsiStyle;
  /** The columns that contain all cells of the line written since they were last erased. */
  writtenFrom: number;
  writtenTo: number;
  /** How many columns moves to the right may still leave blank, because a move of a few bytes creates hundreds of cells. */
  room: number;
}

interface Cell {
  readonly char: string;
  readonly style: AnsiStyle;
}

/**
 * Parses plain terminal output into styled lines: colors and text attributes, carriage return, backspace, tab, and "erase line". Drops all
 * other escape sequences (titles, links, clipboard, cursor moves).
 */
export function parseAnsi(output: string): AnsiLine[] {
  const lines: AnsiLine[] = [];
  const room = 10_000 + 4 * output.length;
  const cursor: Cursor = { line: [], column: 0, style: {}, writtenFrom: 0, writtenTo: 0, room };
  const writeText = (text: string) => {
    const parts = text.split('\n');
    parts.forEach((part, index) => {
      if (index > 0) {
        lines.push(toRuns(cursor.line));
        clearLine(cursor);
        cursor.column = 0;
      }
      write(cursor, part);
    });
  };
  let from = 0;
  for (const match of output.matchAll(sequence)) {
    writeText(output.slice(from, match.index));
    from = match.index + match[0].length;
    const final = match[2];
    if (final === 'm') cursor.style = applySgr(cursor.style, match[1] ?? '');
    else if (final === 'K') eraseLine(cursor, match[1] ?? '');
    else if (final === 'C') moveRight(cursor, Number(match[1]) || 1);
    else if (match[0] === '\r') cursor.column = 0;
    else if (match[0] === '\b') cursor.column = Math.max(0, cursor.column - 1);
  }
  writeText(output.slice(from));
  lines.push(toRuns(cursor.line));
  return lines;
}

/**
 * Maximum column for a move to the right. As in a terminal, it ends at the last column: at the end of the line, or where a wide terminal
 * would end.
 */
const widestMove = 500;
const blank: Cell = { char: ' ', style: {} };

function moveRight(cursor: Cursor, by: number): void {
  cursor.column = Math.max(cursor.column, Math.min(cursor.column + by, Math.max(widestMove, cursor.line.length)));
}

function write(cursor: Cursor, text: string): void {
  if (text === '') return;
  const gap = cursor.column - cursor.line.length;
  if (gap > cursor.room) cursor.column = cursor.line.length;
  else if (gap > 0) cursor.room -= gap;
  while (cursor.line.length < cursor.column) cursor.line.push(blank);
  const isClean = cursor.writtenFrom >= cursor.writtenTo;
  cursor.writtenFrom = isClean ? cursor.column : Math.min(cursor.writtenFrom, cursor.column);
  for (const char of text) {
    const width = char === '\t' ? 8 - (cursor.column % 8) : 1;
    const cell = { char: char === '\t' ? ' ' : char, style: cursor.style };
    for (let step = 0; step < width; step++) cursor.line[cursor.column++] = cell;
  }
  cursor.writtenTo = isClean ? cursor.column : Math.max(cursor.writtenTo, cursor.column);
}

function clearLine(cursor: Cursor): void {
  cursor.line = [];
  cursor.writtenFrom = 0;
  cursor.writtenTo = 0;
}

function eraseLine(cursor: Cursor, parameter: string): void {
  if (parameter === '2') {
    clearLine(cursor);
  } else if (parameter === '1') {
    // Only the cells written since the last time, because a long line may be erased again and again.
    const end = Math.min(cursor.column, cursor.writtenTo);
    cursor.line.fill(blank, cursor.writtenFrom, end);
    cursor.writtenFrom = Math.max(cursor.writtenFrom, end);
  } else {
    cursor.line.length = Math.min(cursor.line.length, cursor.column);
    cursor.writtenTo = Math.min(cursor.writtenTo, cursor.column);
  }
}

function toRuns(cells: readonly Cell[]): AnsiLine {
  const runs: AnsiRun[] = [];
  for (let at = 0; at < cells.length;) {
    const style = cells[at]?.style ?? {};
    const chars: string[] = [];
    for (let cell = cells[at]; cell?.style === style; cell = cells[at]) {
      chars.push(cell.char);
      at += 1;
    }
    runs.push({ text: chars.join(''), style });
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
      const color = codes[at + 1] === 5 ? indexed(codes[at + 2] ?? 0) : rgb(codes.slice(at + 2, at + 5));
      at += codes[at + 1] === 5 ? 2 : 4;
      next = code === 38 ? { ...next, fg: color } : { ...next, bg: color };
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
  return index < 16 ? index : paletteColor(index);
}

function rgb(parts: readonly number[]): string {
  const hex = (value = 0) =>
    Math.max(0, Math.min(255, value || 0))
      .toString(16)
      .padStart(2, '0');
  return `#${hex(parts[0])}${hex(parts[1])}${hex(parts[2])}`;
}
