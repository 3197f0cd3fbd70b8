import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { scrubEnvironment } from '../process/scrubEnvironment';
import type { IDisposable } from '../shared/disposable';
import type { ProcessGuard } from '../shared/processGuard';

/** What runs the watchdog; everything has a default. */
export interface WatchdogOptions {
  /** The Node that runs the script; this process's own when absent. */
  readonly nodePath?: string;
  /** How long (ms) it waits for another process to guard before it ends; ten seconds when absent. */
  readonly idleMs?: number;
  /** A line for the log: the watchdog could not be started or was ended by someone. */
  readonly log?: (line: string) => void;
}

/** How often a watchdog that ended by itself is replaced. */
const restartLimit = 3;

/**
 * A guard that is a process of its own, so that it outlives a crash of this one. It runs only while there is something to
 * guard and a moment longer, and never keeps this process alive. Disposed with pids left, it ends them.
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
    if (this.child) this.tell(`+${pid}`);
    else this.start();
  }

  remove(pid: number): void {
    if (!this.pids.delete(pid)) return;
    this.tell(`-${pid}`);
    if (this.pids.size > 0) return;
    // Who closes a session often opens the next one.
    this.idle = setTimeout(() => this.sayGoodbye(), this.options.idleMs ?? 10_000).unref();
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    clearTimeout(this.idle);
    // An end of stdin without a goodbye is what the watchdog waits for.
    if (this.pids.size > 0) this.child?.stdin?.end();
    else this.sayGoodbye();
    this.pids.clear();
    this.child = undefined;
  }

  private start(): void {
    let child: ChildProcess;
    try {
      child = spawn(this.options.nodePath ?? process.execPath, [this.scriptPath], {
        // In the root folder it holds no folder busy, in a session of its own it outlives every signal to this process's group.
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
    // A pipe of a child process is a socket; its type does not say so.
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
    for (const pid of this.pids) this.tell(`+${pid}`);
  }

  private sayGoodbye(): void {
    const child = this.child;
    this.child = undefined;
    child?.stdin?.end('goodbye\n');
  }

  private tell(line: string): void {
    if (this.child?.stdin?.writable) this.child.stdin.write(`${line}\n`);
  }
}
