import * as l10n from '@vscode/l10n';
import type { TerminalView as TerminalState } from '../../src/shared/transcript/transcript';
import { needsEmulator, parseAnsi, type AnsiLine } from './ansi';
import { AnsiPainter } from './ansiDom';
import type { RenderQueue, RenderTask } from '../base/renderQueue';
import type { TerminalScreen } from './terminalScreen';
import type { Viewport } from '../base/viewport';

/** Number of visible rows. The rest is reached by scrolling. */
export const terminalRows = 12;
/** Maximum number of lines in the page. Earlier ones are counted as hidden. */
const keptLines = 600;
/** Maximum output waiting for the emulator. If output arrives faster than that, only the last part is shown. */
const backlogLimit = 262_144;
/** Time between two drawings of a screen whose lines are scrolling, in milliseconds. */
const redrawMs = 60;

/**
 * The output of a command in a card: a live screen while the command runs, static text when it is done. It follows the output until the
 * user scrolls away from its end. With `keeps`, output that begins with what matters, such as a file, is shown from its start instead.
 */
export class TerminalOutput implements RenderTask {
  readonly element = document.createElement('div');
  private readonly queue: RenderQueue;
  private readonly viewport: Viewport;
  private readonly onResize: (columns: number, rows: number) => void;
  readonly keeps: 'start' | 'end';
  private readonly body = document.createElement('div');
  private state: TerminalState;
  private screen: TerminalScreen | undefined;
  private loading = false;
  private isNear = false;
  private disposed = false;
  /** How much of the output was written to the screen, counted from its beginning. */
  private written = 0;
  private keys: string[] = [];
  private drawnAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private columns = 0;
  private skipped = false;
  private readonly sizes: ResizeObserver;

  constructor(
    state: TerminalState,
    queue: RenderQueue,
    viewport: Viewport,
    onResize: (columns: number, rows: number) => void = () => undefined,
    keeps: 'start' | 'end' = 'end',
  ) {
    this.state = state;
    this.queue = queue;
    this.viewport = viewport;
    this.onResize = onResize;
    this.keeps = keeps;
    this.element.className = 'pl-term';
    this.element.tabIndex = 0;
    this.element.append(this.body);
    this.sizes = new ResizeObserver(() => this.fit());
    viewport.whenNear(this.element, () => {
      this.isNear = true;
      this.sizes.observe(this.element);
      this.queue.add(this);
    });
  }

  /** Updates the terminal's state. */
  set(state: TerminalState): void {
    if (state === this.state) return;
    if (state.replaced !== this.state.replaced) {
      this.screen?.reset();
      this.written = 0;
      this.skipped = false;
    }
    this.state = state;
    if (this.isNear) this.queue.add(this);
  }

  /** Whether there are lines of output that aren't shown. */
  get isCut(): boolean {
    return this.state.hidden > 0 || this.skipped || (this.screen === undefined && isLong(this.state.output));
  }

  /** The output as plain text. Without control characters, it's unchanged, including tabs. */
  get text(): string {
    const { output } = this.state;
    return /[\u001b\r\b]/.test(output) ? plainText(output) : output;
  }

  step(): boolean {
    const { exit, output } = this.state;
    const isLive = exit.state === 'running' || this.screen !== undefined || needsEmulator(output);
    if (!isLive) {
      this.draw(this.keptLines(output));
      return true;
    }
    if (this.screen) this.feed(this.screen);
    else {
      // Shows plain lines until the emulator is loaded, or if loading fails.
      this.draw(this.keptLines(output));
      this.load();
    }
    return true;
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.queue.delete(this);
    this.viewport.forget(this.element);
    this.sizes.disconnect();
    this.screen?.dispose();
    this.screen = undefined;
  }

  private keptLines(output: string): AnsiLine[] {
    const isFromStart = this.keeps === 'start';
    const isLong = output.length > backlogLimit;
    const part = !isLong ? output : isFromStart ? output.slice(0, backlogLimit) : output.slice(-backlogLimit);
    const lines = parseAnsi(part);
    if (lines.at(-1)?.length === 0) lines.pop();
    this.skipped = lines.length > keptLines || part !== output;
    return isFromStart ? lines.slice(0, keptLines) : lines.slice(-keptLines);
  }

  private load(): void {
    if (this.loading) return;
    this.loading = true;
    import('./terminalScreen').then(
      ({ TerminalScreen: Screen }) => {
        if (this.disposed) return;
        this.screen = new Screen(this.columns || 80, terminalRows, keptLines);
        this.written = this.state.hidden;
        this.queue.add(this);
      },
      (error: unknown) => reportError(error),
    );
  }

  private feed(screen: TerminalScreen): void {
    const { hidden, output } = this.state;
    const end = hidden + output.length;
    if (end - this.written > backlogLimit) {
      screen.reset();
      this.skipped = true;
      this.written = end - backlogLimit / 2;
    }
    const data = output.slice(Math.max(0, this.written - hidden));
    this.written = end;
    // Output of pipes has bare line feeds, which a terminal would treat as "one line down".
    const raw = this.state.driver === 'pty' ? data : data.replace(/\r?\n/g, '\r\n');
    screen.write(raw, () => {
      if (!this.disposed) this.drawScreen(screen);
    });
  }

  private drawScreen(screen: TerminalScreen): void {
    const wait = this.drawnAt + redrawMs - performance.now();
    // A few lines are cheap to draw. Once old lines scroll out, every line moves, so drawing is delayed.
    if (wait > 0 && this.keys.length >= keptLines / 2) {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.drawScreen(screen);
      }, wait);
      return;
    }
    this.draw(screen.lines(keptLines));
    if (this.state.exit.state === 'running' || this.written < this.state.hidden + this.state.output.length) return;
    // The command is done and fully shown, so the text stays and the emulator can be disposed.
    screen.dispose();
    if (this.screen === screen) this.screen = undefined;
    this.loading = true;
  }

  /** Updates the lines in the page. Only lines that changed are created again. */
  private draw(lines: readonly AnsiLine[]): void {
    this.drawnAt = performance.now();
    const follows =
      this.keeps === 'end' && this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight < 8;
    const painter = new AnsiPainter(this.element);
    const keys = lines.map((line) => JSON.stringify(line));
    let same = 0;
    while (same < keys.length && keys[same] === this.keys[same]) same++;
    while (this.body.childNodes.length > same) this.body.lastChild?.remove();
    const fragment = document.createDocumentFragment();
    for (const line of lines.slice(same)) fragment.append(painter.line(line));
    this.body.append(fragment);
    this.keys = keys;
    this.element.classList.toggle('empty', lines.length === 0);
    if (follows) this.element.scrollTop = this.element.scrollHeight;
  }

  private fit(): void {
    const style = getComputedStyle(this.element);
    const inner = this.element.clientWidth - Number.parseFloat(style.paddingLeft) * 2;
    const columns = Math.max(20, Math.min(400, Math.floor(inner / charWidth(style))));
    // An element that has just been removed has no style, and therefore no width.
    if (!(inner > 0) || Number.isNaN(columns) || columns === this.columns) return;
    this.columns = columns;
    this.screen?.resize(columns, terminalRows);
    if (this.state.exit.state === 'running' && this.state.driver === 'pty') this.onResize(columns, terminalRows);
  }
}

/** Returns whether output has more lines than the page shows. */
function isLong(output: string): boolean {
  let at = -1;
  for (let lines = 0; lines < keptLines; lines++) {
    at = output.indexOf('\n', at + 1);
    if (at < 0 || at === output.length - 1) return false;
  }
  return true;
}

/** Returns raw output without escape sequences. */
export function plainText(output: string): string {
  return parseAnsi(output)
    .map((line) => line.map((run) => run.text).join(''))
    .join('\n');
}

/** Returns the accessible name of a terminal's region. */
export function terminalName(state: TerminalState): string {
  return l10n.t('Terminal: {0}', state.command);
}

const widths = new Map<string, number>();

function charWidth(style: CSSStyleDeclaration): number {
  const font = `${style.fontSize} ${style.fontFamily}`;
  let width = widths.get(font);
  if (width === undefined) {
    const canvas = document.createElement('canvas').getContext('2d');
    if (canvas) canvas.font = font;
    width = canvas?.measureText('0').width ?? 8;
    widths.set(font, width);
  }
  return width;
}
