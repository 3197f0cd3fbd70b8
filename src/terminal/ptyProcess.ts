import { setTimeout as delay } from 'node:timers/promises';
import type { IPty } from 'node-pty';
import { startPipeProcess } from './pipeProcess';
import { LinuxPty, isNativePty } from './linuxPty';
import { exitStatus, isTerminalSize } from './terminalProcess';
import type { ProcessListener, ProcessOptions, TerminalProcess } from './terminalProcess';

/** How often to look for the process id, in milliseconds. */
const pidPollMs = 5;

/** The parts of node-pty in use. */
export interface PtyModule {
  spawn(file: string, args: string[] | string, options: object): IPty;
  /** The binary. Absent on Windows. */
  readonly native?: unknown;
}

const loadNodePty = (): Promise<PtyModule> => import('node-pty');

/**
 * Starts commands behind a pseudoterminal if node-pty loads, and behind pipes otherwise, because not every machine has a binary. Loads
 * node-pty once, with the first command.
 */
export class ProcessStarter {
  private readonly load: () => Promise<PtyModule>;
  private readonly onNoPty: (reason: unknown) => void;
  private pty: Promise<PtyModule | undefined> | undefined;

  constructor(onNoPty: (reason: unknown) => void, load: () => Promise<PtyModule> = loadNodePty) {
    this.onNoPty = onNoPty;
    this.load = load;
  }

  /** Resolves to the driver of the next command. Loads node-pty if necessary. */
  async driver(): Promise<'pty' | 'pipe'> {
    return (await this.module()) === undefined ? 'pipe' : 'pty';
  }

  /** Resolves when the command runs; rejects with a `SpawnError`. */
  async start(options: ProcessOptions, listener: ProcessListener): Promise<TerminalProcess> {
    const pty = await this.module();
    if (pty !== undefined) {
      try {
        if (process.platform === 'linux' && isNativePty(pty.native)) return new LinuxPty(pty.native, options, listener);
        return await new PtyProcess(pty, options, listener).started();
      } catch (error) {
        // Program and folder were checked before, so the pseudoterminal must be unavailable.
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

/** A command behind a pseudoterminal that node-pty manages. */
class PtyProcess implements TerminalProcess {
  readonly driver = 'pty';
  private readonly pty: IPty;
  private ended = false;

  constructor(module: PtyModule, options: ProcessOptions, listener: ProcessListener) {
    const { launch, cwd, env } = options;
    this.pty = module.spawn(launch.file, typeof launch.args === 'string' ? launch.args : [...launch.args], {
      cwd,
      env,
      cols: options.columns,
      rows: options.rows,
      // node-pty would overwrite the variable otherwise.
      name: env['TERM'] ?? 'xterm-256color',
      // Decodes across chunk boundaries, and makes the terminal erase whole characters. Windows always does.
      ...(process.platform === 'win32' ? {} : { encoding: 'utf8' }),
    });
    this.pty.onData((text) => {
      if (text !== '') listener.onData(text);
    });
    // Fires after the last data: node-pty waits until its end of the terminal is closed.
    this.pty.onExit(({ exitCode, signal }) => {
      if (this.ended) return;
      this.ended = true;
      listener.onExit(exitStatus(exitCode, signal));
    });
  }

  get pid(): number {
    return this.pty.pid;
  }

  /**
   * Resolves once the command runs. On Windows, node-pty starts it a moment later, and reports neither that nor the
   * process id other than by its property.
   */
  async started(): Promise<this> {
    while (this.pid === 0 && !this.ended) await delay(pidPollMs);
    return this;
  }

  write(data: string): void {
    if (!this.ended) this.pty.write(data);
  }

  endInput(): void {
    // The end of input is a key, typed like any other.
  }

  resize(columns: number, rows: number): void {
    if (this.ended || !isTerminalSize(columns, rows)) return;
    try {
      this.pty.resize(columns, rows);
    } catch {
      // The terminal closes shortly before its exit is reported.
    }
  }

  pause(): void {
    if (!this.ended) this.pty.pause();
  }

  resume(): void {
    if (!this.ended) this.pty.resume();
  }
}
