import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { scrubEnvironment } from '../../process/scrubEnvironment';
import type { IDisposable } from '../../shared/values/disposable';
import type { ProcessGuard } from '../../shared/limits/processGuard';

/** How the watchdog runs. Everything has a default. */
export interface WatchdogOptions {
  /** The Node that runs the script. Defaults to this process's own. */
  readonly nodePath?: string;
  /** How long it waits for another process to guard before it exits, in milliseconds. Defaults to 10,000. */
  readonly idleMs?: number;
  /** Receives a line for the log if the watchdog couldn't be started or was ended from outside. */
  readonly log?: (line: string) => void;
}

/** Maximum number of replacements for a watchdog that exited unexpectedly. */
const restartLimit = 3;

/**
 * Creates a guard in its own process, so that it survives a crash of this one. The guard runs only while there is
 * something to guard, and a little longer, and never keeps this process alive. If it is disposed with guarded processes
 * left, it stops them.
 */
export function createWatchdog(scriptPath: string, options: WatchdogOptions = {}): ProcessGuard & IDisposable {
  return new Watchdog(scriptPath, options);
}

class Watchdog implements ProcessGuard, IDisposable {
  private readonly scriptPath: string;
  private readonly options: WatchdogOptions;
  private readonly pids = new Set<number>();
  private child: ChildProcess | undefined;
  private idle: NodeJS.Timeout | undefined;
  private restarts = 0;
  private disposed = false;

  constructor(scriptPath: string, options: WatchdogOptions) {
    this.scriptPath = scriptPath;
    this.options = options;
  }

  add(pid: number): void {
    if (this.disposed || this.pids.has(pid)) return;
    this.pids.add(pid);
    clearTimeout(this.idle);
    if (this.child) this.send(`+${pid}`);
    else this.start();
  }

  remove(pid: number): void {
    if (!this.pids.delete(pid)) return;
    this.send(`-${pid}`);
    if (this.pids.size > 0) return;
    // After closing a session, users often open the next one.
    this.idle = setTimeout(() => this.sayGoodbye(), this.options.idleMs ?? 10_000).unref();
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    clearTimeout(this.idle);
    // The watchdog waits for stdin to end without a goodbye.
    if (this.pids.size > 0) this.child?.stdin?.end();
    else this.sayGoodbye();
    this.pids.clear();
    this.child = undefined;
  }

  private start(): void {
    let child: ChildProcess;
    try {
      child = spawn(this.options.nodePath ?? process.execPath, [this.scriptPath], {
        // In the root folder it keeps no folder in use; in its own session it survives signals to this process's group.
        cwd: process.platform === 'win32' ? undefined : '/',
        env: { ...scrubEnvironment(process.env), ELECTRON_RUN_AS_NODE: '1' },
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
        windowsHide: true,
      });
    } catch (error) {
      this.options.log?.(`The watchdog did not start: ${String(error)}`);
      return;
    }
    this.child = child;
    child.unref();
    child.stdin?.on('error', () => undefined);
    // A child process's pipe is a socket, although its type doesn't say so.
    (child.stdin as Socket | null)?.unref();
    child.on('error', (error) => {
      this.options.log?.(`The watchdog did not start: ${error.message}`);
      if (this.child === child) this.child = undefined;
    });
    child.on('exit', (code, signal) => {
      if (this.child !== child) return;
      this.child = undefined;
      if (this.pids.size > 0 && this.restarts++ < restartLimit) this.start();
      this.options.log?.(`The watchdog ended: ${signal ?? `exit code ${String(code)}`}`);
    });
    for (const pid of this.pids) this.send(`+${pid}`);
  }

  private sayGoodbye(): void {
    const child = this.child;
    this.child = undefined;
    child?.stdin?.end('goodbye\n');
  }

  private send(line: string): void {
    if (this.child?.stdin?.writable) this.child.stdin.write(`${line}\n`);
  }
}
