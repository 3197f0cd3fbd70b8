import * as path from 'node:path';
import { compact } from '../../shared/values/decodeValue';
import { internal, invalidParams, type AcpError } from '../../acp/base/errors';
import type { ClientContext, ServedTerminal, TerminalEvents, TerminalService } from '../../session/services';
import type { IDisposable } from '../../shared/values/disposable';
import type { SessionKey, TerminalId } from '../../shared/values/ids';
import type { ProcessGuard } from '../../shared/limits/processGuard';
import { type ProcessStarter } from '../../terminal/ptyProcess';
import { displayCommand } from '../../terminal/shellLine';
import { SpawnError } from '../../terminal/spawnError';
import { startCommand } from '../../terminal/startCommand';
import { ServedCommand } from './servedCommand';

export interface TerminalRegistryOptions {
  /** The base environment of commands, before the agent's variables: the user's login shell environment. */
  baseEnvironment(): Promise<Readonly<Record<string, string | undefined>>>;
  /** Stops command trees if this process crashes. */
  readonly guard?: ProcessGuard;
  readonly starter: ProcessStarter;
  /** Makes this window's terminal ids differ from those in a stored transcript. */
  readonly idSuffix: string;
  /** How long a command may take to exit after the first signal, in milliseconds. */
  readonly graceMs?: number;
}

/** Size of a terminal that isn't shown yet. */
const initialSize = { columns: 120, rows: 30 };

type CreateParams = Parameters<TerminalService['create']>[1];

/** All commands that run for agents in this window, and the processes that they left running. */
export class TerminalRegistry implements TerminalService, IDisposable {
  private readonly options: TerminalRegistryOptions;
  private readonly commands = new Map<TerminalId, ServedCommand>();
  /** Exited or released commands. Those without running processes are removed from time to time. */
  private readonly past = new Set<ServedCommand>();
  private readonly starting = new Set<Promise<unknown>>();
  private readonly endedSessions = new Set<SessionKey>();
  private count = 0;
  private disposed = false;

  constructor(options: TerminalRegistryOptions) {
    this.options = options;
  }

  create(context: ClientContext, params: CreateParams, events: TerminalEvents): Promise<ServedTerminal> {
    const created = this.start(context, params, events);
    const settled = created.then(
      () => undefined,
      () => undefined,
    );
    this.starting.add(settled);
    void settled.then(() => this.starting.delete(settled));
    return created;
  }

  /** Returns the command of a session's terminal that the agent hasn't released. */
  find(session: SessionKey, terminalId: TerminalId): ServedCommand | undefined {
    const command = this.commands.get(terminalId);
    return command?.session === session ? command : undefined;
  }

  /** Stops all commands of a session and the processes they left running. Later commands of the session are refused. */
  async endSession(session: SessionKey): Promise<void> {
    this.endedSessions.add(session);
    await this.endWhere((command) => command.session === session);
  }

  /** Stops everything, including commands that are just starting. Resolves once no process is left. */
  async stopAll(): Promise<void> {
    this.disposed = true;
    await Promise.all([this.endWhere(() => true), ...this.starting]);
  }

  /** Returns the number of commands that are running or have left processes running. */
  async countRunning(): Promise<number> {
    const all = [...new Set([...this.commands.values(), ...this.past])];
    const alive = await Promise.all(all.map((command) => command.isAlive()));
    return alive.filter(Boolean).length;
  }

  dispose(): void {
    void this.stopAll();
  }

  private async start(context: ClientContext, params: CreateParams, events: TerminalEvents): Promise<ServedTerminal> {
    const cwd = params.cwd ?? context.cwd;
    if (!path.isAbsolute(cwd)) throw invalidParams(`The folder "${cwd}" isn't an absolute path.`, { cwd });
    this.refuseIfEnded(context.session);
    const { outputByteLimit } = params;
    this.count += 1;
    const command = new ServedCommand(
      {
        terminalId: `t${this.count}-${this.options.idSuffix}` as TerminalId,
        session: context.session,
        command: displayCommand(params.command, params.args),
        cwd,
        graceMs: this.options.graceMs ?? 2000,
        ...compact({ outputByteLimit }),
        onReleased: () => this.retire(command),
        onTreeEnded: () => void this.sweep(),
      },
      events,
    );
    const { command: program, args, env } = params;
    const base = await this.options.baseEnvironment();
    const { sandbox } = context;
    const request = { command: program, args, env, cwd, ...initialSize, ...compact({ sandbox }) };
    try {
      command.attach(await startCommand(this.options.starter, request, base, command.listener));
    } catch (error) {
      throw toResponseError(error, program, cwd);
    }
    this.adopt(command);
    if (this.disposed || this.endedSessions.has(context.session)) {
      await command.endTree();
      this.retire(command);
      this.refuseIfEnded(context.session);
    }
    return command;
  }

  private refuseIfEnded(session: SessionKey): void {
    if (this.disposed || this.endedSessions.has(session)) throw internal('The session has ended.');
  }

  private adopt(command: ServedCommand): void {
    this.commands.set(command.terminalId, command);
    if (command.pid !== undefined) this.options.guard?.add(command.pid);
    const waiting = command.onDidExit(() => {
      waiting.dispose();
      this.past.add(command);
      void this.sweep();
    });
  }

  private retire(command: ServedCommand): void {
    if (this.commands.delete(command.terminalId)) this.past.add(command);
    void this.sweep();
  }

  /** Removes commands without running processes, because the guard must not hold an id that may be reused. */
  private async sweep(): Promise<void> {
    for (const command of [...this.past]) {
      if (await command.isAlive()) continue;
      if (this.past.delete(command) && command.pid !== undefined) this.options.guard?.remove(command.pid);
    }
  }

  private async endWhere(condition: (command: ServedCommand) => boolean): Promise<void> {
    const all = new Set([...this.commands.values(), ...this.past]);
    const ended = [...all].filter(condition);
    await Promise.all(
      ended.map(async (command) => {
        await command.endTree();
        this.retire(command);
      }),
    );
    await this.sweep();
  }
}

/** Converts a failure for the agent: missing files in its params are its own error, everything else is internal. */
function toResponseError(error: unknown, command: string, cwd: string): AcpError {
  if (!(error instanceof SpawnError)) return internal(`The command couldn't be started: ${String(error)}`);
  const data = { command, cwd, code: error.code };
  return error.code === 'EFAILED' ? internal(error.message, data) : invalidParams(error.message, data);
}
