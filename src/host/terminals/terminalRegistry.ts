import * as path from 'node:path';
import { internal, invalidParams, type AcpError } from '../../acp/errors';
import type { ClientContext, ServedTerminal, TerminalEvents, TerminalService } from '../../session/services';
import type { IDisposable } from '../../shared/disposable';
import type { SessionKey, TerminalId } from '../../shared/ids';
import type { ProcessGuard } from '../../shared/processGuard';
import { type ProcessStarter } from '../../terminal/ptyProcess';
import { displayCommand } from '../../terminal/shellLine';
import { SpawnError } from '../../terminal/spawnError';
import { startCommand } from '../../terminal/startCommand';
import { ServedCommand } from './servedCommand';

export interface TerminalRegistryOptions {
  /** The environment commands start from, before the agent's own variables: the user's, as a login shell has it. */
  baseEnvironment(): Promise<Readonly<Record<string, string | undefined>>>;
  /** Ends command trees if this process dies without doing so. */
  readonly guard?: ProcessGuard;
  readonly starter: ProcessStarter;
  /** Makes this window's terminal ids differ from those a stored transcript may hold. */
  readonly idSuffix: string;
  /** How long a command may take to end by itself when it is told to, in milliseconds. */
  readonly graceMs?: number;
}

/** Size of a terminal before anything shows it. */
const initialSize = { columns: 120, rows: 30 };

type CreateParams = Parameters<TerminalService['create']>[1];

/** Every command that runs for an agent in this window, and what such commands left running. */
export class TerminalRegistry implements TerminalService, IDisposable {
  private readonly options: TerminalRegistryOptions;
  private readonly commands = new Map<TerminalId, ServedCommand>();
  /** Ended or released ones; those of which nothing lives any more are dropped now and then. */
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

  /** The command behind a terminal of this session that the agent has not released. */
  find(session: SessionKey, terminalId: TerminalId): ServedCommand | undefined {
    const command = this.commands.get(terminalId);
    return command?.session === session ? command : undefined;
  }

  /** Ends all commands of a session and whatever they left running; later ones of this session are refused. */
  async endSession(session: SessionKey): Promise<void> {
    this.endedSessions.add(session);
    await this.endWhere((command) => command.session === session);
  }

  /** Ends everything, commands that are just starting included. Resolves when no process is left. */
  async stopAll(): Promise<void> {
    this.disposed = true;
    await Promise.all([this.endWhere(() => true), ...this.starting]);
  }

  /** How many commands still run, or have left something running. */
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
        ...(outputByteLimit !== undefined && { outputByteLimit }),
        onReleased: () => this.retire(command),
        onTreeEnded: () => void this.sweep(),
      },
      events,
    );
    const { command: program, args, env } = params;
    const base = await this.options.baseEnvironment();
    const request = { command: program, args, env, cwd, ...initialSize };
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

  /** Forgets those of which nothing lives; a guard must not hold an id that may become another's. */
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

/** What the agent receives: params that name something missing are its own mistake, the rest is ours. */
function toResponseError(error: unknown, command: string, cwd: string): AcpError {
  if (!(error instanceof SpawnError)) return internal(`The command couldn't be started: ${String(error)}`);
  const data = { command, cwd, code: error.code };
  return error.code === 'EFAILED' ? internal(error.message, data) : invalidParams(error.message, data);
}
