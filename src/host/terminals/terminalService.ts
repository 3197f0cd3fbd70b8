import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ClientContext, ServedTerminal, TerminalEvents, TerminalService } from '../../session/services';
import { once } from '../../shared/values/once';
import type { IDisposable } from '../../shared/values/disposable';
import type { SessionKey, TerminalId } from '../../shared/values/ids';
import type { ProcessGuard } from '../../shared/limits/processGuard';
import type { PtyModule } from '../../terminal/ptyProcess';
import { AttachedView, type AttachedTerminal } from './attachedView';
import type { ServedCommand } from './servedCommand';
import type { TerminalRegistry } from './terminalRegistry';
import { TerminalTab, type TerminalTabView } from './terminalTab';
import { openTerminalTab } from '../ui/labels';

export interface TerminalServiceOptions {
  /** The base environment of commands, before the agent's variables: the user's login shell environment. */
  baseEnvironment(): Promise<Readonly<Record<string, string | undefined>>>;
  /** Stops command trees if the extension host crashes. */
  readonly guard?: ProcessGuard;
  /** Called once, for the log, if commands run with pipes because no pseudoterminal is available. */
  onNoPty?(reason: unknown): void;
  /** Replaces node-pty in tests. */
  readonly loadPty?: () => Promise<PtyModule>;
}

/** Terminals for agents and the user: `terminal/*`, and tabs that show running commands and accept input. */
export interface HostTerminals extends TerminalService, IDisposable {
  /**
   * Shows a command of an agent in an editor terminal, new or existing. Returns false if there is no such command, or
   * if it was removed. `attach` then shows the output of the transcript.
   */
  show(session: SessionKey, terminalId: TerminalId): boolean;
  /** Shows text from elsewhere in a read-only tab. A terminal has at most one tab. */
  attach(terminal: AttachedTerminal): void;
  /** Stops a command and all processes it started. Resolves to false if there is no such command. */
  stop(session: SessionKey, terminalId: TerminalId): Promise<boolean>;
  /** Sets the command's width to that of the chat. An open tab takes precedence. */
  resize(session: SessionKey, terminalId: TerminalId, columns: number, rows: number): void;
  /** Stops a session's commands and the processes they left running. */
  endSession(session: SessionKey): Promise<void>;
  /** Stops everything and closes the tabs. Resolves once no process is left. Nothing starts afterwards. */
  stopAll(): Promise<void>;
  /** Returns the number of commands that are running or have left processes running. */
  countRunning(): Promise<number>;
}

/** Creates the terminals of this window. What runs commands is loaded with the first one, and so is node-pty. */
export function createTerminalService(options: TerminalServiceOptions): HostTerminals {
  return new VisibleTerminals(async () => {
    const [{ ProcessStarter }, { TerminalRegistry }] = await Promise.all([
      import('../../terminal/ptyProcess'),
      import('./terminalRegistry'),
    ]);
    return new TerminalRegistry({
      baseEnvironment: () => options.baseEnvironment(),
      starter: new ProcessStarter((reason) => options.onNoPty?.(reason), options.loadPty),
      idSuffix: randomBytes(3).toString('hex'),
      ...(options.guard && { guard: options.guard }),
    });
  });
}

class VisibleTerminals implements HostTerminals {
  /** Undefined before the first command. */
  private registry: TerminalRegistry | undefined;
  private readonly load: () => Promise<TerminalRegistry>;
  /** What ended before the registry was there, which starts nothing for it. */
  private readonly ended: SessionKey[] = [];
  private isStopped = false;
  private readonly tabs = new Map<string, { readonly tab: vscode.Terminal; readonly pty: TerminalTab }>();
  /** The size that the chat last requested, restored when a tab closes. */
  private readonly sizes = new WeakMap<ServedCommand, { readonly columns: number; readonly rows: number }>();

  constructor(load: () => Promise<TerminalRegistry>) {
    this.load = once(async () => {
      const registry = await load();
      for (const session of this.ended) void registry.endSession(session);
      if (this.isStopped) void registry.stopAll();
      this.registry = registry;
      return registry;
    });
  }

  async create(
    context: ClientContext,
    params: Parameters<TerminalService['create']>[1],
    events: TerminalEvents,
  ): Promise<ServedTerminal> {
    return (await this.load()).create(context, params, events);
  }

  show(session: SessionKey, terminalId: TerminalId): boolean {
    const command = this.registry?.find(session, terminalId);
    // A tab may outlive its command's id, and then still shows the exit.
    if (this.reveal(session, terminalId)) return true;
    if (!command) return false;
    this.openTab(session, terminalId, commandView(command), () => {
      const size = this.sizes.get(command);
      if (size) command.resize(size.columns, size.rows);
    });
    return true;
  }

  attach(terminal: AttachedTerminal): void {
    const { session, terminalId } = terminal;
    if (this.reveal(session, terminalId)) return;
    const view = new AttachedView(terminal);
    this.openTab(session, terminalId, view, () => view.dispose());
  }

  async stop(session: SessionKey, terminalId: TerminalId): Promise<boolean> {
    const command = this.registry?.find(session, terminalId);
    if (!command) return false;
    await command.endTree();
    return true;
  }

  resize(session: SessionKey, terminalId: TerminalId, columns: number, rows: number): void {
    const command = this.registry?.find(session, terminalId);
    if (!command) return;
    this.sizes.set(command, { columns, rows });
    if (!this.tabs.has(key(session, terminalId))) command.resize(columns, rows);
  }

  endSession(session: SessionKey): Promise<void> {
    if (this.registry) return this.registry.endSession(session);
    this.ended.push(session);
    return Promise.resolve();
  }

  async stopAll(): Promise<void> {
    this.isStopped = true;
    const stopped = this.registry?.stopAll();
    for (const { tab, pty } of [...this.tabs.values()]) {
      pty.close();
      tab.dispose();
    }
    await stopped;
  }

  countRunning(): Promise<number> {
    return this.registry?.countRunning() ?? Promise.resolve(0);
  }

  dispose(): void {
    void this.stopAll();
  }

  private reveal(session: SessionKey, terminalId: TerminalId): boolean {
    const open = this.tabs.get(key(session, terminalId));
    open?.tab.show();
    return open !== undefined;
  }

  private openTab(session: SessionKey, terminalId: TerminalId, view: TerminalTabView, onClosed: () => void): void {
    const name = key(session, terminalId);
    const pty = new TerminalTab(view, () => {
      if (this.tabs.get(name)?.pty === pty) this.tabs.delete(name);
      onClosed();
    });
    const tab = openTerminalTab({
      name: tabName(view.title),
      pty,
      iconPath: new vscode.ThemeIcon('terminal'),
      isTransient: true,
    });
    this.tabs.set(name, { tab, pty });
    // The user opened the tab to watch or type, so it takes the focus.
    tab.show();
  }
}

function key(session: SessionKey, terminalId: TerminalId): string {
  return JSON.stringify([session, terminalId]);
}

/** Returns one short line without control characters. */
function tabName(title: string): string {
  const line = title.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > 40 ? `${line.slice(0, 39)}…` : line || 'Parley';
}

function commandView(command: ServedCommand): TerminalTabView {
  return {
    title: command.command,
    driver: command.driver,
    replay: () => command.replay(),
    exit: () => command.exit,
    onDidWrite: command.onDidWrite,
    onDidExit: command.onDidExit,
    input: {
      type: (data) => command.type(data),
      endInput: () => command.endInput(),
      interrupt: () => void command.endTree(),
      resize: (columns, rows) => command.resize(columns, rows),
    },
  };
}
