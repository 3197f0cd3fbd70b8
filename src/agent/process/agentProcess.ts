import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import * as l10n from '@vscode/l10n';
import type { ProcessInfo } from '../../process/processInfo';
import { endTree, livingTree, startTimeOf, type GroupLeader } from '../../process/processTree';
import { WindowsTree } from '../../process/windowsTree';
import type { ProcessExit } from '../../session/services';
import { Emitter, type Event } from '../../shared/values/event';
import type { ProcessGuard } from '../../shared/limits/processGuard';
import type { Sandbox } from '../../shared/limits/sandbox';
import { messageOf } from '../../shared/values/messageOf';
import type { RemoteTarget } from '../remote/remoteTarget';
import { TextTail } from './textTail';

/** A program ready to start, with everything resolved. */
export interface AgentLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** On Windows: the arguments are already quoted. */
  readonly windowsVerbatimArguments?: boolean;
  /** If the command is a conductor: the programs it starts, from the first proxy to the agent itself. */
  readonly chain?: readonly AgentLaunch[];
  /** Names of variables in `env` whose values the user entered: secrets. */
  readonly secretVariables?: readonly string[];
  /** Values that the user entered, wherever they are in the arguments and the environment. They are hidden in logs. */
  readonly secretValues?: readonly string[];
  /** Where the agent is if it isn't a program of this machine; then `command` is only shown. */
  readonly remote?: RemoteTarget;
  /** What the program runs in; `command` then starts it inside. Ends with the agent. */
  readonly sandbox?: Sandbox;
}

/** Why a program could not be started. */
export type SpawnFailureKind = 'notFound' | 'notExecutable' | 'badCwd' | 'other';

/** A program that did not start. `message` tells the user what happened and what to do next. */
export class SpawnFailure extends Error {
  readonly kind: SpawnFailureKind;
  readonly command: string;

  constructor(kind: SpawnFailureKind, command: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SpawnFailure';
    this.kind = kind;
    this.command = command;
  }
}

/** How an agent's process is monitored. Everything has a default. */
export interface AgentProcessOptions {
  /** Stops the process if this one dies. */
  readonly guard?: ProcessGuard;
  /** Maximum length of stderr kept, in UTF-16 units. Defaults to 64 Ki. */
  readonly stderrLimit?: number;
  /** How long the remaining output is read after the exit, in milliseconds. Defaults to 1,000. */
  readonly drainMs?: number;
}

/**
 * An agent's running process (https://agentclientprotocol.com/protocol/transports#stdio). Its streams never throw on
 * their own.
 */
export interface AgentProcess {
  readonly pid: number;
  readonly stdin: Writable;
  /** Listen immediately: output without a listener is dropped when the process exits. */
  readonly stdout: Readable;
  /**
   * Fires once, when the process has exited and its output was read. Late subscribers are notified as well, never
   * synchronously.
   */
  readonly onDidExit: Event<ProcessExit>;
  /** Fires with text on stderr as it arrives. This is logging, never a sign of failure. */
  readonly onDidWriteStderr: Event<string>;
  /** Returns the last lines of stderr, without terminal escapes. */
  stderrTail(): string;
  /**
   * Stops the agent in steps: end of stdin, SIGTERM to all its processes, SIGKILL, `graceMs` apart (1,500 by default).
   * Resolves when no process is left and `onDidExit` has fired; may be called again, also after `kill`. Gives up,
   * without `onDidExit`, on a process that the system itself can't end.
   */
  stop(graceMs?: number): Promise<void>;
  /** Kills all its processes immediately; await `stop` to know when that is done. */
  kill(): void;
}

const defaultGraceMs = 1500;

/** Starts the program in its own process group; rejects with a `SpawnFailure`. */
export async function startAgentProcess(launch: AgentLaunch, options: AgentProcessOptions = {}): Promise<AgentProcess> {
  await checkCwd(launch);
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(launch.command, launch.args, {
      cwd: launch.cwd,
      env: launch.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own group, so that signals reach its children, and the editor's signals don't reach it.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: launch.windowsVerbatimArguments ?? false,
    });
  } catch (error) {
    throw await spawnFailure(launch, error);
  }
  // Listen before awaiting anything, so that an immediate exit isn't missed.
  const agent = child.pid === undefined ? undefined : new ChildAgent(child, child.pid, options);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  }).catch(async (error: unknown) => {
    throw await spawnFailure(launch, error);
  });
  if (!agent) throw await spawnFailure(launch, new Error('no process id'));
  return agent;
}

class ChildAgent implements AgentProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly options: AgentProcessOptions;
  private readonly tail: TextTail;
  private readonly exitEmitter = new Emitter<ProcessExit>();
  private readonly stderrEmitter = new Emitter<string>();
  readonly onDidWriteStderr = this.stderrEmitter.event;
  private readonly started: Promise<string | undefined>;
  private readonly windowsTree: WindowsTree | undefined;
  /** Set once `onDidExit` has fired. */
  private exit: ProcessExit | undefined;
  /** Resolves when the process itself has exited. */
  private readonly ended: Promise<ProcessExit>;
  /** Resolves when no process is left and all listeners were called. */
  private readonly gone: Promise<void>;
  private stopping: Promise<void> | undefined;
  private killed = false;

  constructor(child: ChildProcessWithoutNullStreams, pid: number, options: AgentProcessOptions) {
    this.child = child;
    this.pid = pid;
    this.options = options;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.tail = new TextTail(options.stderrLimit ?? 64 * 1024);
    options.guard?.add(pid);
    this.windowsTree = process.platform === 'win32' ? new WindowsTree(pid) : undefined;
    this.started = process.platform === 'win32' ? Promise.resolve(undefined) : startTimeOf(pid);
    // EPIPE and similar errors: the exit reports once that the agent is gone.
    for (const emitter of [child, child.stdin, child.stdout, child.stderr]) emitter.on('error', () => undefined);
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      this.tail.append(text);
      this.stderrEmitter.fire(text);
    });
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.windowsTree?.ended();
        resolve(signal === null ? { exitCode: code ?? 0 } : { signal });
      });
    });
    this.gone = this.ended.then((exit) => this.afterExit(exit));
  }

  readonly onDidExit: Event<ProcessExit> = (listener) => {
    const { exit } = this;
    if (!exit) return this.exitEmitter.event(listener);
    let isSubscribed = true;
    queueMicrotask(() => {
      if (isSubscribed) listener(exit);
    });
    return { dispose: () => void (isSubscribed = false) };
  };

  stderrTail(): string {
    return this.tail.toString();
  }

  stop(graceMs = defaultGraceMs): Promise<void> {
    return (this.stopping ??= this.escalate(graceMs));
  }

  kill(): void {
    if (this.killed) return;
    this.killed = true;
    void this.endTree(0);
  }

  private async escalate(graceMs: number): Promise<void> {
    const leader = await this.leader();
    // Children that lead their own groups can only be found while their parent is running.
    const known = this.windowsTree ? [] : await livingTree(leader);
    if (this.windowsTree) await within(graceMs, this.windowsTree.look());
    this.stdin.end();
    await within(graceMs, this.ended);
    await this.endTree(this.killed ? 0 : graceMs, known);
    // The system may keep a process that waits for an unreachable disk, even after SIGKILL.
    await within(defaultGraceMs, this.ended);
    if (this.hasEnded) await this.gone;
  }

  private async endTree(graceMs: number, known: readonly ProcessInfo[] = []): Promise<void> {
    // Windows finds a tree only by its root, whose id may belong to another process by now.
    if (this.windowsTree && this.hasEnded) return this.windowsTree.endRest();
    await endTree(await this.leader(), graceMs, known);
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private async leader(): Promise<GroupLeader> {
    const started = await this.started;
    return started === undefined ? { pid: this.pid } : { pid: this.pid, started };
  }

  private async afterExit(exit: ProcessExit): Promise<void> {
    // Remaining children would write into closed pipes forever. Stopping them also ends most waits for output below.
    const swept = this.endTree(this.killed ? 0 : defaultGraceMs);
    const { child } = this;
    const drained = Promise.allSettled([finished(child.stdout), finished(child.stderr)]);
    // A process that escaped may keep the pipes open without ever writing.
    await within(this.options.drainMs ?? 1000, drained);
    child.stdout.destroy();
    child.stderr.destroy();
    child.stdin.destroy();
    this.exit = exit;
    this.exitEmitter.fire(exit);
    this.exitEmitter.dispose();
    this.stderrEmitter.dispose();
    await swept;
    this.options.guard?.remove(this.pid);
  }
}

/** Waits for the promise, which never rejects, for at most `ms` milliseconds. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

async function checkCwd(launch: AgentLaunch): Promise<void> {
  const { command, cwd } = launch;
  if (!isAbsolute(cwd)) {
    throw new SpawnFailure('badCwd', command, l10n.t('{0} isn’t an absolute path. Fix “cwd” in parley.agents.', cwd));
  }
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory()) return;
  const message = found
    ? l10n.t(
        'Couldn’t start {1}: {0} isn’t a folder. Open another folder, or fix “cwd” in parley.agents.',
        cwd,
        command,
      )
    : l10n.t(
        'Couldn’t start {1}: folder {0} doesn’t exist. Open another folder, or fix “cwd” in parley.agents.',
        cwd,
        command,
      );
  throw new SpawnFailure('badCwd', command, message);
}

async function spawnFailure(launch: AgentLaunch, error: unknown): Promise<SpawnFailure> {
  const { command } = launch;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const exists =
    isAbsolute(command) &&
    (await stat(command).then(
      () => true,
      () => false,
    ));
  if (code === 'ENOENT' && exists) {
    const message = l10n.t(
      'Couldn’t run {0}: the interpreter in its first line wasn’t found. Install the interpreter or reinstall the agent.',
      command,
    );
    return new SpawnFailure('notExecutable', command, message, error);
  }
  if (code === 'ENOENT') return notFound(command, error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'ENOEXEC') {
    const message = l10n.t(
      'Couldn’t run {0}: it isn’t executable or isn’t built for this machine ({1}). Check its permissions or reinstall the agent.',
      command,
      code,
    );
    return new SpawnFailure('notExecutable', command, message, error);
  }
  const reason = messageOf(error);
  return new SpawnFailure('other', command, l10n.t('Couldn’t start {0}: {1}.', command, reason), error);
}

/** Returns the failure for a program that wasn't found. */
export function notFound(command: string, cause?: unknown): SpawnFailure {
  const message = l10n.t(
    'Couldn’t find the program {0}. Install it, or set “command” in parley.agents to its full path.',
    command,
  );
  return new SpawnFailure('notFound', command, message, cause);
}
