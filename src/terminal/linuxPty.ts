import { closeSync, constants as fileConstants, openSync, readSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { ProcessListener, ProcessOptions, TerminalProcess } from './terminalProcess';
import { exitStatus, isTerminalSize } from './terminalProcess';
import { Utf8Decoder } from './utf8Decoder';

/** What node-pty's binary offers on Linux. node-pty exports it without a promise to keep it so; its version is pinned. */
export interface NativePty {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (exitCode: number, signal: number) => void,
  ): { readonly fd: number; readonly pid: number; readonly pty: string };
  resize(fd: number, columns: number, rows: number, pixelWidth: number, pixelHeight: number): void;
}

/** Whether node-pty's `native` export is what is expected. */
export function isNativePty(value: unknown): value is NativePty {
  if (typeof value !== 'object' || value === null) return false;
  return ['fork', 'resize'].every((name) => typeof Reflect.get(value, name) === 'function');
}

/** At most this much is read after the command's end: children that it left may go on writing for ever. */
const lastOutputLimit = 1_048_576;
/** Pause before a full terminal is tried again, in milliseconds. */
const writeRetryMs = 5;

/**
 * A command behind a pseudoterminal of Linux, with no output lost at its end. The system hangs a terminal up when its
 * last program ends, and Node takes that for the end of the data although more waits to be read; so this side keeps
 * the terminal open itself until the end is known, and then reads what is left.
 */
export class LinuxPty implements TerminalProcess {
  readonly driver = 'pty';
  readonly pid: number;
  private readonly native: NativePty;
  private readonly listener: ProcessListener;
  private readonly fd: number;
  private readonly keptOpen: number | undefined;
  private readonly stream: ReadStream;
  private readonly decoder = new Utf8Decoder();
  private readonly writing: { bytes: Buffer; offset: number }[] = [];
  private ended = false;

  constructor(native: NativePty, options: ProcessOptions, listener: ProcessListener) {
    const { launch, cwd, env, columns, rows } = options;
    this.native = native;
    this.listener = listener;
    const args = typeof launch.args === 'string' ? [launch.args] : [...launch.args];
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    // -1 keeps user and group; the helper is for macOS alone.
    const started = native.fork(launch.file, args, variables, cwd, columns, rows, -1, -1, true, '', (code, signal) => {
      this.finish(code, signal);
    });
    this.fd = started.fd;
    this.pid = started.pid;
    this.keptOpen = keepOpen(started.pty);
    this.stream = new ReadStream(started.fd);
    this.stream.on('data', (bytes: Buffer) => this.emit(this.decoder.decode(bytes)));
    // What the stream could not read is read at the end.
    this.stream.on('error', () => undefined);
  }

  write(data: string): void {
    if (this.ended || data === '') return;
    this.writing.push({ bytes: Buffer.from(data), offset: 0 });
    if (this.writing.length === 1) this.writeNext();
  }

  endInput(): void {
    // The key for the end of input is typed like any other.
  }

  resize(columns: number, rows: number): void {
    if (this.ended || !isTerminalSize(columns, rows)) return;
    this.native.resize(this.fd, columns, rows, 0, 0);
  }

  pause(): void {
    if (!this.ended) this.stream.pause();
  }

  resume(): void {
    if (!this.ended) this.stream.resume();
  }

  /** Writes by hand: Node's own stream may block on a terminal whose program does not read. */
  private writeNext(): void {
    while (!this.ended) {
      const next = this.writing[0];
      if (next === undefined) return;
      try {
        // The terminal does not block: what does not fit is refused.
        next.offset += writeSync(this.fd, next.bytes, next.offset);
      } catch {
        setTimeout(() => this.writeNext(), writeRetryMs).unref();
        return;
      }
      if (next.offset === next.bytes.length) this.writing.shift();
    }
  }

  private finish(code: number, signal: number): void {
    // First what Node has read but not handed over yet, since reading may be paused; it comes as 'data'.
    while (this.stream.read() !== null);
    this.readRest();
    this.ended = true;
    this.emit(this.decoder.end());
    if (this.keptOpen !== undefined) closeSync(this.keptOpen);
    this.stream.destroy();
    this.listener.onExit(exitStatus(code, signal));
  }

  /** Takes what the system still holds; the terminal does not block, so an empty one is an error. */
  private readRest(): void {
    const bytes = Buffer.allocUnsafe(65_536);
    for (let total = 0; total < lastOutputLimit;) {
      let count: number;
      try {
        count = readSync(this.fd, bytes);
      } catch {
        // Nothing left.
        return;
      }
      if (count === 0) return;
      total += count;
      this.emit(this.decoder.decode(bytes.subarray(0, count)));
    }
  }

  private emit(text: string): void {
    if (text !== '') this.listener.onData(text);
  }
}

function keepOpen(terminal: string): number | undefined {
  try {
    return openSync(terminal, fileConstants.O_RDWR | fileConstants.O_NOCTTY);
  } catch {
    // No file handle is free: the command runs already, and only the end of its output is at risk.
    return undefined;
  }
}
