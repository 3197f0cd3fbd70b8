// The programs that the product starts: agents are played in this process, Git is real, and of everything else only its start is noted.
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import { PassThrough } from 'node:stream';
import { WiringAgent } from './wiringAgent';
import { awaitProgram } from './shortTimers';

/** The definition of an agent that is played here. */
export const playedAgent = { command: process.execPath, args: ['played-agent'] };
/** Above every process id of Linux, so that no signal reaches a process. */
const firstPid = 2 ** 23;

/** A program that was started, and isn't Git. */
export interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

/** A process without a process. */
class PlayedProcess extends EventEmitter {
  static count = 0;
  readonly pid = firstPid + (PlayedProcess.count += 1);
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly stderr = new PassThrough();
  readonly stdio: readonly unknown[] = [];
  exitCode: number | null = null;
  signalCode: string | null = null;

  constructor(stdin = new PassThrough(), stdout = new PassThrough()) {
    super();
    this.stdin = stdin;
    this.stdout = stdout;
    // Pipes of real processes have these.
    const own = () => undefined;
    for (const pipe of [stdin, stdout, this.stderr]) Object.assign(pipe, { ref: own, unref: own });
    process.nextTick(() => this.emit('spawn'));
  }

  exit(code: number): void {
    if (this.exitCode !== null) return;
    this.exitCode = code;
    this.stdout.end();
    this.stderr.end();
    this.emit('exit', code, null);
    setImmediate(() => this.emit('close', code, null));
  }

  kill(): boolean {
    this.exit(1);
    return true;
  }

  ref(): void {}
  unref(): void {}
}

/** What was started since the last reset. */
export class Programs {
  readonly agents: WiringAgent[] = [];
  readonly others: Started[] = [];
  /** Whether the other programs run until they are stopped. */
  last = false;
  /** How the next agents behave. */
  prepare: (agent: WiringAgent) => void = () => undefined;
  private onAgent = (): void => undefined;

  reset(): void {
    this.agents.length = 0;
    this.others.length = 0;
    this.last = false;
    this.prepare = () => undefined;
    this.onAgent = () => undefined;
  }

  /** Resolves once an agent runs. */
  async agentStarted(): Promise<void> {
    if (this.agents.length === 0) await new Promise<void>((resolve) => (this.onAgent = resolve));
  }

  startAgent(): PlayedProcess {
    const agent = new WiringAgent();
    this.prepare(agent);
    this.agents.push(agent);
    this.onAgent();
    const played = new PlayedProcess(agent.stdin, agent.stdout);
    agent.stdin.on('end', () => played.exit(0));
    agent.onExit = (code) => played.exit(code);
    return played;
  }

  startOther(command: string, args: readonly string[]): PlayedProcess {
    // The environment of the user's shell is asked for before any agent starts, and a watchdog looks after agents.
    const isOfStart = args.some((arg) => arg.includes('PARLEY_SCRIPT') || arg.endsWith('watchdog.js'));
    if (!isOfStart) this.others.push({ command, args });
    const played = new PlayedProcess();
    if (isOfStart || !this.last) setImmediate(() => played.exit(0));
    return played;
  }
}

export const programs = new Programs();
const { spawn, execFile } = childProcess;

Object.assign(childProcess, {
  spawn: (command: string, args: readonly string[] = [], options: object = {}) => {
    if (args[0] === playedAgent.args[0]) return programs.startAgent();
    // Programs are named by their whole path.
    if (basename(command) !== 'git') return programs.startOther(command, args);
    const child = spawn(command, args, options);
    awaitProgram(child);
    return child;
  },
  execFile: (...all: Parameters<typeof execFile>) => {
    const child = execFile(...all);
    awaitProgram(child);
    return child;
  },
});

// Nothing here is online, so the list of agents is the one that ships with Parley.
globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
