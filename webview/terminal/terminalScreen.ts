import { Terminal, type IBufferCell } from '@xterm/xterm';
import { compact } from '../../src/shared/values/decodeValue';
import { paletteColor, type AnsiLine, type AnsiRun, type AnsiStyle } from './ansi';

/**
 * Uses xterm.js only as an emulator: it processes escape sequences and stores the screen, and the page draws the lines as text. Its own
 * renderer needs inline styles, which the page's policy forbids, and screen readers, search, and selection work best with text.
 */
export class TerminalScreen {
  private readonly terminal: Terminal;
  private readonly cell: IBufferCell;

  constructor(columns: number, rows: number, scrollback: number) {
    this.terminal = new Terminal({ cols: columns, rows, scrollback, allowProposedApi: false, convertEol: false });
    this.cell = this.terminal.buffer.active.getNullCell();
  }

  /** Writes raw output. `done` is called when the screen shows it. */
  write(data: string, done: () => void): void {
    this.terminal.write(data, done);
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
  }

  reset(): void {
    this.terminal.reset();
  }

  /** Returns the last lines of scrollback and screen, at most `limit`, without empty ones at the end. */
  lines(limit: number): AnsiLine[] {
    const buffer = this.terminal.buffer.active;
    let end = buffer.length;
    const cursorLine = buffer.baseY + buffer.cursorY;
    while (end > cursorLine + 1 && buffer.getLine(end - 1)?.translateToString(true) === '') end--;
    const lines: AnsiLine[] = [];
    for (let at = Math.max(0, end - limit); at < end; at++) {
      const line = buffer.getLine(at);
      if (!line) continue;
      lines.push(this.runs(line));
    }
    return lines;
  }

  dispose(): void {
    this.terminal.dispose();
  }

  private runs(line: {
    readonly length: number;
    getCell(x: number, cell: IBufferCell): IBufferCell | undefined;
  }): AnsiLine {
    const runs: { text: string; style: AnsiStyle; key: string }[] = [];
    for (let x = 0; x < line.length; x++) {
      const cell = line.getCell(x, this.cell);
      // The right half of a wide character has no text.
      if (!cell || cell.getWidth() === 0) continue;
      const key = styleKey(cell);
      const last = runs.at(-1);
      const text = cell.getChars() || ' ';
      if (last?.key === key) last.text += text;
      else runs.push({ text, style: styleOf(cell), key });
    }
    const last = runs.at(-1);
    if (last && last.style.bg === undefined && last.style.inverse !== true) last.text = last.text.trimEnd();
    return runs.filter((run) => run.text !== '').map(({ text, style }): AnsiRun => ({ text, style }));
  }
}

function styleKey(cell: IBufferCell): string {
  const flags =
    cell.isBold() | cell.isDim() | cell.isItalic() | cell.isUnderline() | cell.isInverse() | cell.isStrikethrough();
  return `${cell.getFgColorMode()} ${cell.getFgColor()} ${cell.getBgColorMode()} ${cell.getBgColor()} ${flags}`;
}

function styleOf(cell: IBufferCell): AnsiStyle {
  const fg = cellColor(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor());
  const bg = cellColor(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  return {
    ...compact({ fg, bg }),
    ...(cell.isBold() ? { bold: true } : {}),
    ...(cell.isDim() ? { dim: true } : {}),
    ...(cell.isItalic() ? { italic: true } : {}),
    ...(cell.isUnderline() ? { underline: true } : {}),
    ...(cell.isInverse() ? { inverse: true } : {}),
    ...(cell.isStrikethrough() ? { strike: true } : {}),
  };
}

function cellColor(isRgb: boolean, isPalette: boolean, value: number): number | string | undefined {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  if (!isPalette) return undefined;
  return value < 16 ? value : paletteColor(value);
}
