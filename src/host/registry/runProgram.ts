import { spawn } from 'node:child_process';
import { locateProgram } from '../../agent/launch/launch';
import { withOwnPath } from '../../process/ownProgram';
import { scrubEnvironment } from '../../process/scrubEnvironment';

export interface RunOptions {
  /** The environment of the user's terminal programs. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Maximum output kept of each stream, in UTF-16 units. */
const outputLimit = 4_000_000;

/**
 * Runs a program of the user's PATH to its end. Rejects with a `SpawnFailure` if it wasn't found. If `signal` aborts, the
 * program is stopped, and the promise rejects once it has exited, so that it writes nothing afterwards.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { env, cwd, signal }: RunOptions,
): Promise<RunResult> {
  signal.throwIfAborted();
  const launch = await locateProgram({ command, args, env: withOwnPath(scrubEnvironment(env)), cwd });
  return new Promise((resolve, reject) => {
    const child = spawn(launch.command, launch.args, {
      cwd: launch.cwd,
      env: launch.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...(launch.windowsVerbatimArguments === true && { windowsVerbatimArguments: true }),
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout = `${stdout}${text}`.slice(-outputLimit)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = `${stderr}${text}`.slice(-outputLimit)));
    // npm waits for its open downloads after SIGTERM. Callers remove what was unfinished.
    const stop = () => void child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => {
      signal.removeEventListener('abort', stop);
      reject(error);
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ code, stdout, stderr });
    });
  });
}
