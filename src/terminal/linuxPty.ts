import { closeSync, constants as fileConstants, openSync, readSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { ProcessListener, ProcessOptions, TerminalProcess } from './terminalProcess';
import { exitStatus, isTerminalSize } from './terminalProcess';
import { Utf8Decoder } from './utf8Decoder';

/** The API of node-pty's Linux binary. node-pty exports it without a stability promise, so its version is pinned. */
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

/** Returns whether node-pty's `native` export has the expected API. */
export function isNativePty(value: unknown): value is NativePty {
  if (typeof value !== 'object' || value === null) return false;
  return ['fork', 'resize'].every((name) => typeof Reflect.get(value, name) === 'function');
}

/** Maximum to read after the command exits, because child processes may keep writing. In bytes. */
const lastOutputLimit = 1_048_576;
/** Pause before writing to a full terminal again, in milliseconds. */
const writeRetryMs = 5;

/**
 * A command behind a Linux pseudoterminal that loses no output at its exit. The system hangs up a terminal when its last program exits, and
 * Node then stops reading although data is left. This class keeps the terminal open until the exit is known, and then reads the rest.
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
    // -1 keeps user and group. The helper is only for macOS.
    const started = native.fork(launch.file, args, variables, cwd, columns, rows, -1, -1, true, '', (code, signal) => {
      this.finish(code, signal);
    });
    this.fd = started.fd;
    this.pid = started.pid;
    this.keptOpen = keepOpen(started.pty);
    this.stream = new ReadStream(started.fd);
    this.stream.on('data', (bytes: Buffer) => this.emit(this.decoder.decode(bytes)));
    // Data that the stream couldn't read is read at the end.
    this.stream.on('error', () => undefined);
  }

  write(data: string): void {
    if (this.ended || data === '') return;
    this.writing.push({ bytes: Buffer.from(data), offset: 0 });
    if (this.writing.length === 1) this.writeNext();
  }

  endInput(): void {
    // The end of input is a key, typed like any other.
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

  /** Writes directly, because Node's stream may block on a terminal whose program doesn't read. */
  private writeNext(): void {
    while (!this.ended) {
      const next = this.writing[0];
      if (next === undefined) return;
      try {
        // The terminal is non-blocking, so it rejects data that doesn't fit.
        next.offset += writeSync(this.fd, next.bytes, next.offset);
      } catch {
        setTimeout(() => this.writeNext(), writeRetryMs).unref();
        return;
      }
      if (next.offset === next.bytes.length) this.writing.shift();
    }
  }

  private finish(code: number, signal: number): void {
    // First, takes the data that Node has read but not delivered, since reading may be paused. It is emitted as 'data'.
    while (this.stream.read() !== null);
    this.readRest();
    this.ended = true;
    this.emit(this.decoder.end());
    if (this.keptOpen !== undefined) closeSync(this.keptOpen);
    this.stream.destroy();
    this.listener.onExit(exitStatus(code, signal));
  }

  /** Reads the data left in the system. The terminal is non-blocking, so reading an empty one throws. */
  private readRest(): void {
    const bytes = Buffer.allocUnsafe(65_536);
    for (let total = 0; total < lastOutputLimit;) {
      let count: number;
      try {
        count = readSync(this.fd, bytes);
      } catch {
        // Nothing is left.
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
    // No file descriptor is available. The command already runs, so only the end of its output may be lost.
    return undefined;
  }
}
