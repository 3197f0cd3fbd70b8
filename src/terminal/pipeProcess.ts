import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import type { ExitStatus, ProcessListener, ProcessOptions, TerminalProcess } from './terminalProcess';
import { toSpawnError } from './spawnError';
import { Utf8Decoder } from './utf8Decoder';

/** After the command exits, output must be silent for this long to stop waiting for children that keep its pipes open. In milliseconds. */
const quietMs = 150;
/** Maximum time to wait for such output, in milliseconds. */
const drainMs = 2000;

/**
 * Starts a command behind pipes, with stdout and stderr in the order of writing. Resolves when the command runs; rejects with a
 * `SpawnError`.
 */
export async function startPipeProcess(options: ProcessOptions, listener: ProcessListener): Promise<TerminalProcess> {
  const child = spawnChild(options);
  const pipes = new PipeProcess(child, listener);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      reject(toSpawnError(options.launch.file, error));
    });
  });
  return pipes;
}

function spawnChild({ launch, cwd, env }: ProcessOptions): ChildProcessWithoutNullStreams {
  try {
    if (process.platform === 'win32') {
      const windowsVerbatimArguments = typeof launch.args === 'string';
      const args = typeof launch.args === 'string' ? [launch.args] : launch.args;
      return spawn(launch.file, args, { cwd, env, windowsHide: true, windowsVerbatimArguments });
    }
    // One pipe for both streams preserves their order. Only a shell can set it up; the shell then replaces itself with the command.
    const words = typeof launch.args === 'string' ? [launch.args] : launch.args;
    const args = ['-c', 'exec "$0" "$@" 2>&1', launch.file, ...words];
    return spawn('/bin/sh', args, { cwd, env, detached: true });
  } catch (error) {
    throw toSpawnError(launch.file, error);
  }
}

class PipeProcess implements TerminalProcess {
  readonly driver = 'pipe';
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly listener: ProcessListener;
  private readonly decoders = [new Utf8Decoder(), new Utf8Decoder()] as const;
  private exit: ExitStatus | undefined;
  private reported = false;
  private paused = false;
  private lastData = 0;

  constructor(child: ChildProcessWithoutNullStreams, listener: ProcessListener) {
    this.child = child;
    this.listener = listener;
    for (const [index, stream] of [child.stdout, child.stderr].entries()) {
      stream.on('data', (bytes: Buffer) => {
        this.lastData = performance.now();
        this.emit((this.decoders[index] ?? this.decoders[0]).decode(bytes));
      });
      // A broken pipe ends the output, which 'close' reports.
      stream.on('error', () => undefined);
    }
    // The command may exit or close its input at any time. Typed text is then lost, as in a terminal.
    child.stdin.on('error', () => undefined);
    child.once('exit', (code, signal) => {
      this.exit = signal === null ? { exitCode: code ?? 0 } : { signal };
      this.waitForQuiet(performance.now());
    });
    child.once('close', () => {
      this.report();
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  write(data: string): void {
    if (this.child.stdin.writable) this.child.stdin.write(data);
  }

  endInput(): void {
    this.child.stdin.end();
  }

  resize(): void {
    // Pipes have no size.
  }

  pause(): void {
    this.paused = true;
    this.child.stdout.pause();
    this.child.stderr.pause();
  }

  resume(): void {
    this.paused = false;
    this.child.stdout.resume();
    this.child.stderr.resume();
  }

  private emit(text: string): void {
    if (text !== '' && !this.reported) this.listener.onData(text);
  }

  /** Waits for silence, because a child that outlives the command and keeps its pipes open would delay 'close' forever. */
  private waitForQuiet(exitedAt: number): void {
    const timer = setTimeout(() => {
      // After a busy period, timers run before data that has already arrived, so this lets the data in first.
      setImmediate(() => {
        if (this.reported) return;
        const now = performance.now();
        const quiet = !this.paused && now - Math.max(this.lastData, exitedAt) >= quietMs;
        if (quiet || now - exitedAt >= drainMs) this.report();
        else this.waitForQuiet(exitedAt);
      });
    }, quietMs);
    timer.unref();
  }

  private report(): void {
    if (this.reported || this.exit === undefined) return;
    for (const decoder of this.decoders) this.emit(decoder.end());
    this.reported = true;
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    this.child.stdin.destroy();
    this.listener.onExit(this.exit);
  }
}
