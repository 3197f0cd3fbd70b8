import { requestCancelled } from '../../acp/errors';
import {
  endTree,
  listProcesses,
  livingTree,
  startTimeOf,
  treeOf,
  type GroupLeader,
  type ProcessInfo,
} from '../../process/processTree';
import type { ProcessExit, ServedTerminal, TerminalEvents } from '../../session/services';
import { Emitter, type Event } from '../../shared/event';
import type { SessionKey, TerminalId } from '../../shared/ids';
import { EscapeFilter } from '../../terminal/escapeFilter';
import { LineBreaks } from '../../terminal/lineBreaks';
import { OutputBatcher, nodeTimer } from '../../terminal/outputBatcher';
import { OutputBuffer } from '../../terminal/outputBuffer';
import type { ProcessListener, TerminalProcess } from '../../terminal/terminalProcess';

/** Time between two batches of output, in milliseconds: one frame. */
const batchInterval = 16;
/** UTF-16 units of output in one batch from which the command has to wait. */
const batchHighWater = 131_072;
/** How much of the output a terminal tab shows again when it opens, in bytes. */
const replayLimit = 1_048_576;
/** How long the report of an end may take once no process is left, in milliseconds. */
const reportWithin = 5000;

export interface CommandOptions {
  readonly terminalId: TerminalId;
  readonly session: SessionKey;
  readonly command: string;
  readonly cwd: string;
  readonly outputByteLimit?: number;
  /** How long the command may take to end by itself when it is told to, in milliseconds. */
  readonly graceMs: number;
  /** The agent gave the terminal up. */
  onReleased(): void;
  /** The command and what it started were ended. */
  onTreeEnded(): void;
}

/**
 * One `terminal/create` in flight: keeps its output under the agent's limit, tells the transcript and open tabs about it,
 * and answers whoever waits for its end. `attach` gives it its process.
 */
export class ServedCommand implements ServedTerminal {
  readonly terminalId: TerminalId;
  readonly session: SessionKey;
  readonly command: string;
  readonly cwd: string;
  /** Output for an open tab, without what must not reach a terminal; queries to the terminal are in it. */
  readonly onDidWrite: Event<string>;
  readonly onDidExit: Event<ProcessExit>;
  /** Hears what the process does; given to the process when it starts. */
  readonly listener: ProcessListener;

  private readonly options: CommandOptions;
  private readonly events: TerminalEvents;
  /** What the agent gets; it asked for no terminal, so its lines end as the program ended them. */
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

  /** As the agent means it: a process that the command left behind on purpose, a server say, lives on until the session ends. */
  async release(): Promise<void> {
    await this.kill();
    this.options.onReleased();
  }

  /** Ends the command and whatever it left behind. */
  async endTree(): Promise<void> {
    this.ending ??= this.endAll().finally(() => {
      this.ending = undefined;
      this.options.onTreeEnded();
    });
    await this.ending;
  }

  /** Whether the command, or a process that it left behind, still runs. */
  async isAlive(): Promise<boolean> {
    if (!this.leader) return false;
    if (!this.exitStatus) return true;
    const left = await this.leftovers;
    if (left.length === 0) return false;
    const alive = await livingTree(await this.leader, left);
    // Once nothing is left the id may become another's, so it is not looked for again.
    if (alive.length === 0) this.leftovers = Promise.resolve([]);
    return alive.length > 0;
  }

  /** The output so far, as a newly opened tab shows it. */
  replay(): string {
    const text = this.shown.read();
    if (!this.shown.truncated) return text;
    // What was cut may have ended inside a sequence or a colour: begin with a line, in plain text.
    return `\u001b[0m${text.slice(text.indexOf('\n') + 1)}`;
  }

  /** Sends what the user typed. */
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

  /** Looked for at once: later the command's id may belong to another process. */
  private async findLeftovers(): Promise<ProcessInfo[]> {
    const { leader } = this;
    if (!leader) return [];
    const processes = await listProcesses();
    // No list, no knowledge: nothing may be ended by guess.
    return processes ? treeOf(await leader, processes) : [];
  }

  private async endAll(): Promise<void> {
    if (!this.leader) return;
    if (this.exitStatus) {
      const left = await this.leftovers;
      if (left.length > 0) await endTree(await this.leader, this.options.graceMs, left);
      return;
    }
    // The end is reported a moment after the process is gone, when all its output has been read.
    const reported = new AbortController();
    const ended = this.waitForExit(reported.signal).then(
      () => undefined,
      () => undefined,
    );
    await endTree(await this.leader, this.options.graceMs);
    // A process that not even SIGKILL ends (the system holds it) must not hold the agent as well.
    const timer = setTimeout(() => reported.abort(), reportWithin);
    await ended;
    clearTimeout(timer);
  }
}

/** Asked for right after the start, so that a later process with this id is told apart. Windows would take long to answer. */
async function leaderNow(pid: number): Promise<GroupLeader> {
  const started = process.platform === 'win32' ? undefined : await startTimeOf(pid);
  return started === undefined ? { pid } : { pid, started };
}
