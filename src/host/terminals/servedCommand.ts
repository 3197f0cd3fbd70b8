import { requestCancelled } from '../../acp/base/errors';
import { endTree, listProcesses, livingTree, startTimeOf, treeOf, type GroupLeader } from '../../process/processTree';
import type { ProcessInfo } from '../../process/processInfo';
import type { ProcessExit, ServedTerminal, TerminalEvents } from '../../session/services';
import { Emitter, type Event } from '../../shared/values/event';
import type { SessionKey, TerminalId } from '../../shared/values/ids';
import { EscapeFilter } from '../../terminal/escapeFilter';
import { LineBreaks } from '../../terminal/lineBreaks';
import { OutputBatcher, nodeTimer } from '../../terminal/outputBatcher';
import { OutputBuffer } from '../../terminal/outputBuffer';
import type { ProcessListener, TerminalProcess } from '../../terminal/terminalProcess';

/** Time between two batches of output, in milliseconds: one frame. */
const batchInterval = 16;
/** Number of UTF-16 units in a batch at which the command is paused. */
const batchHighWater = 131_072;
/** Maximum size of the output that a new terminal tab shows, in bytes. */
const replayLimit = 1_048_576;
/** Maximum time to report an exit once no process is left, in milliseconds. */
const reportWithin = 5000;

export interface CommandOptions {
  readonly terminalId: TerminalId;
  readonly session: SessionKey;
  readonly command: string;
  readonly cwd: string;
  readonly outputByteLimit?: number;
  /** How long the command may take to exit after the first signal, in milliseconds. */
  readonly graceMs: number;
  /** Called when the agent releases the terminal. */
  onReleased(): void;
  /** Called after the command and its child processes were stopped. */
  onTreeEnded(): void;
}

/**
 * The command of a `terminal/create` request. Keeps its output within the agent's limit, sends it to the transcript and
 * open tabs, and answers the requests that wait for its exit. `attach` sets its process.
 */
export class ServedCommand implements ServedTerminal {
  readonly terminalId: TerminalId;
  readonly session: SessionKey;
  readonly command: string;
  readonly cwd: string;
  /** Output for an open tab, without unsafe control sequences. Includes queries to the terminal. */
  readonly onDidWrite: Event<string>;
  readonly onDidExit: Event<ProcessExit>;
  /** Receives the process's events. Passed to the process when it starts. */
  readonly listener: ProcessListener;

  private readonly options: CommandOptions;
  private readonly events: TerminalEvents;
  /** Output for the agent, with the program's own line endings, because the agent didn't ask for a terminal. */
  private readonly kept: OutputBuffer;
  private readonly breaks = new LineBreaks();
  private readonly shown = new OutputBuffer(replayLimit);
  private readonly recordFilter = new EscapeFilter({ queries: 'drop' });
  private readonly tabFilter = new EscapeFilter({ queries: 'keep' });
  private readonly written = new Emitter<string>();
  private readonly exited = new Emitter<ProcessExit>();
  private readonly batcher: OutputBatcher;
  private process: TerminalProcess | undefined;
  private leader: Promise<GroupLeader> | undefined;
  private exitStatus: ProcessExit | undefined;
  private isKilled = false;
  private leftovers: Promise<ProcessInfo[]> = Promise.resolve([]);
  private ending: Promise<void> | undefined;

  constructor(options: CommandOptions, events: TerminalEvents) {
    this.options = options;
    this.events = events;
    this.terminalId = options.terminalId;
    this.session = options.session;
    this.command = options.command;
    this.cwd = options.cwd;
    this.kept = new OutputBuffer(options.outputByteLimit);
    this.onDidWrite = this.written.event;
    this.onDidExit = this.exited.event;
    this.batcher = new OutputBatcher({
      interval: batchInterval,
      highWater: batchHighWater,
      timer: nodeTimer,
      onBatch: (text) => this.publish(text),
      onPause: () => this.process?.pause(),
      onResume: () => this.process?.resume(),
    });
    this.listener = { onData: (text) => this.receive(text), onExit: (exit) => this.finish(exit) };
  }

  get driver(): 'pty' | 'pipe' {
    return this.process?.driver ?? 'pty';
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  get exit(): ProcessExit | undefined {
    return this.exitStatus;
  }

  get wasKilled(): boolean {
    return this.isKilled;
  }

  attach(process: TerminalProcess): void {
    this.process = process;
    this.leader = leaderNow(process.pid);
  }

  output(): { readonly output: string; readonly truncated: boolean; readonly exit?: ProcessExit } {
    const { truncated } = this.kept;
    return { output: this.kept.read(), truncated, ...(this.exitStatus && { exit: this.exitStatus }) };
  }

  waitForExit(signal: AbortSignal): Promise<ProcessExit> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(requestCancelled());
        return;
      }
      if (this.exitStatus) {
        resolve(this.exitStatus);
        return;
      }
      const waiting = this.onDidExit((exit) => {
        signal.removeEventListener('abort', onAbort);
        waiting.dispose();
        resolve(exit);
      });
      const onAbort = () => {
        waiting.dispose();
        reject(requestCancelled());
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  async kill(): Promise<void> {
    if (this.exitStatus) return;
    await this.endTree();
  }

  /**
   * Stops only the command. A process that it left running on purpose, such as a server, runs until the session closes.
   */
  async release(): Promise<void> {
    await this.kill();
    this.options.onReleased();
  }

  /** Stops the command and all processes it left running. */
  async endTree(): Promise<void> {
    if (!this.exitStatus) this.isKilled = true;
    this.ending ??= this.endAll().finally(() => {
      this.ending = undefined;
      this.options.onTreeEnded();
    });
    await this.ending;
  }

  /** Resolves to true if the command, or a process that it left running, is still running. */
  async isAlive(): Promise<boolean> {
    if (!this.leader) return false;
    if (!this.exitStatus) return true;
    const left = await this.leftovers;
    if (left.length === 0) return false;
    const alive = await livingTree(await this.leader, left);
    // The process id may be reused once no process is left, so don't look it up again.
    if (alive.length === 0) this.leftovers = Promise.resolve([]);
    return alive.length > 0;
  }

  /** Returns the output up to now, for a new tab. */
  replay(): string {
    const text = this.shown.read();
    if (!this.shown.truncated) return text;
    // The cut may have split a control sequence or a color, so start with a new line in plain text.
    return `\u001b[0m${text.slice(text.indexOf('\n') + 1)}`;
  }

  /** Sends the user's input to the command. */
  type(data: string): void {
    if (!this.exitStatus) this.process?.write(data);
  }

  endInput(): void {
    if (!this.exitStatus) this.process?.endInput();
  }

  resize(columns: number, rows: number): void {
    if (!this.exitStatus) this.process?.resize(columns, rows);
  }

  private receive(text: string): void {
    this.kept.append(this.breaks.push(text));
    this.batcher.push(text);
  }

  private publish(text: string): void {
    const record = this.recordFilter.filter(text);
    this.shown.append(record);
    const live = this.tabFilter.filter(text);
    if (live !== '') this.written.fire(live);
    if (record !== '') this.events.onOutput(record);
  }

  private finish(exit: ProcessExit): void {
    this.kept.append(this.breaks.end());
    this.batcher.flush();
    this.batcher.dispose();
    this.exitStatus = exit;
    this.leftovers = this.findLeftovers();
    this.events.onExit(exit);
    this.exited.fire(exit);
  }

  /** Looked up immediately, because the command's id may be reused later. */
  private async findLeftovers(): Promise<ProcessInfo[]> {
    const { leader } = this;
    if (!leader) return [];
    const processes = await listProcesses();
    // Without the process list, stop nothing, because guessing isn't safe.
    return processes ? treeOf(await leader, processes) : [];
  }

  private async endAll(): Promise<void> {
    if (!this.leader) return;
    if (this.exitStatus) {
      const left = await this.leftovers;
      if (left.length > 0) await endTree(await this.leader, this.options.graceMs, left);
      return;
    }
    // The exit is reported slightly after the process is gone, once all output was read.
    const reported = new AbortController();
    const ended = this.waitForExit(reported.signal).then(
      () => undefined,
      () => undefined,
    );
    await endTree(await this.leader, this.options.graceMs);
    // A process that survives SIGKILL, such as in a system call, must not block the agent as well.
    const timer = setTimeout(() => reported.abort(), reportWithin);
    await ended;
    clearTimeout(timer);
  }
}

/**
 * Called right after the start, so that a later process with this id can be distinguished. Skipped on Windows, where it
 * would take long.
 */
async function leaderNow(pid: number): Promise<GroupLeader> {
  const started = process.platform === 'win32' ? undefined : await startTimeOf(pid);
  return started === undefined ? { pid } : { pid, started };
}
