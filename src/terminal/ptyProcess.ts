import type { IPty } from 'node-pty';
import { startPipeProcess } from './pipeProcess';
import { LinuxPty, isNativePty } from './linuxPty';
import { exitStatus, isTerminalSize } from './terminalProcess';
import type { ProcessListener, ProcessOptions, TerminalProcess } from './terminalProcess';

/** The part of node-pty that is used. */
export interface PtyModule {
  spawn(file: string, args: string[] | string, options: object): IPty;
  /** The binary itself; absent on Windows. */
  readonly native?: unknown;
}

const loadNodePty = (): Promise<PtyModule> => import('node-pty');

/**
 * Starts commands: behind a pseudoterminal where node-pty loads, behind pipes where it does not (there is no binary for
 * every machine). node-pty is loaded with the first command and asked for once.
 */
export class ProcessStarter {
  private readonly load: () => Promise<PtyModule>;
  private readonly onNoPty: (reason: unknown) => void;
  private pty: Promise<PtyModule | undefined> | undefined;

  constructor(onNoPty: (reason: unknown) => void, load: () => Promise<PtyModule> = loadNodePty) {
    this.onNoPty = onNoPty;
    this.load = load;
  }

  /** What the next command will run behind; loads node-pty if that was not tried yet. */
  async driver(): Promise<'pty' | 'pipe'> {
    return (await this.module()) === undefined ? 'pipe' : 'pty';
  }

  /** Resolves once the command runs; rejects with a `SpawnError`. */
  async start(options: ProcessOptions, listener: ProcessListener): Promise<TerminalProcess> {
    const pty = await this.module();
    if (pty !== undefined) {
      try {
        if (process.platform === 'linux' && isNativePty(pty.native)) return new LinuxPty(pty.native, options, listener);
        return new PtyProcess(pty, options, listener);
      } catch (error) {
        // Program and folder were checked before, so it is the pseudoterminal that is not to be had.
        this.onNoPty(error);
      }
    }
    return startPipeProcess(options, listener);
  }

  private module(): Promise<PtyModule | undefined> {
    this.pty ??= this.load().catch((error: unknown) => {
      this.onNoPty(error);
      return undefined;
    });
    return this.pty;
  }
}

/** A command behind a pseudoterminal as node-pty drives it. */
class PtyProcess implements TerminalProcess {
  readonly driver = 'pty';
  readonly pid: number;
  private readonly pty: IPty;
  private ended = false;

  constructor(module: PtyModule, options: ProcessOptions, listener: ProcessListener) {
    const { launch, cwd, env } = options;
    this.pty = module.spawn(launch.file, typeof launch.args === 'string' ? launch.args : [...launch.args], {
      cwd,
      env,
      cols: options.columns,
      rows: options.rows,
      // Overrides the variable otherwise.
      name: env['TERM'] ?? 'xterm-256color',
      // Decodes over the borders of chunks, and makes the terminal itself erase whole characters.
      encoding: 'utf8',
    });
    this.pid = this.pty.pid;
    this.pty.onData((text) => {
      if (text !== '') listener.onData(text);
    });
    // Comes after the last data: node-pty waits until its side of the terminal is closed.
    this.pty.onExit(({ exitCode, signal }) => {
      if (this.ended) return;
      this.ended = true;
      listener.onExit(exitStatus(exitCode, signal));
    });
  }

  write(data: string): void {
    if (!this.ended) this.pty.write(data);
  }

  endInput(): void {
    // The key for the end of input is typed like any other.
  }

  resize(columns: number, rows: number): void {
    if (this.ended || !isTerminalSize(columns, rows)) return;
    try {
      this.pty.resize(columns, rows);
    } catch {
      // The terminal closes a moment before its end is reported.
    }
  }

  pause(): void {
    if (!this.ended) this.pty.pause();
  }

  resume(): void {
    if (!this.ended) this.pty.resume();
  }
}
