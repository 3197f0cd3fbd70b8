// The editor's terminals: each runs its program, without a screen.
import { spawn, type ChildProcess } from 'node:child_process';
import { editor } from '../unit-support/vscode';

interface TerminalOptions {
  readonly name?: string;
  readonly shellPath?: string;
  readonly shellArgs?: readonly string[] | string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly strictEnv?: boolean;
}

/** A terminal. */
class DeskTerminal {
  readonly name: string;
  readonly creationOptions: TerminalOptions;
  exitStatus: { readonly code: number | undefined; readonly reason: number } | undefined;
  private readonly child: ChildProcess | undefined;
  private readonly terminals: Terminals;

  constructor(terminals: Terminals, options: TerminalOptions) {
    this.terminals = terminals;
    this.creationOptions = options;
    this.name = options.name ?? 'bash';
    if (options.shellPath === undefined) return;
    const args = typeof options.shellArgs === 'string' ? [options.shellArgs] : [...(options.shellArgs ?? [])];
    this.child = spawn(options.shellPath, args, {
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      env: options.strictEnv === true ? options.env : { ...process.env, ...options.env },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.child.once('error', () => this.end(undefined));
    this.child.once('exit', (code) => this.end(code ?? undefined));
  }

  show(): void {
    this.terminals.active = this;
  }

  hide(): void {
    // Nothing is drawn here.
  }

  sendText(text: string): void {
    this.child?.stdin?.write(`${text}\n`);
  }

  dispose(): void {
    this.child?.kill();
    this.end(undefined);
  }

  private end(code: number | undefined): void {
    if (this.exitStatus) return;
    this.exitStatus = { code, reason: 2 };
    this.terminals.closed(this);
  }
}

/** The terminals of a window. */
export class Terminals {
  active: DeskTerminal | undefined;
  private all: readonly DeskTerminal[] = [];

  /** The members of `vscode.window`. */
  readonly api = {
    createTerminal: (options: TerminalOptions) => this.create(options),
    onDidCloseTerminal: (listener: (terminal: unknown) => unknown, self?: unknown) =>
      editor.subscribe('window.onDidCloseTerminal', listener.bind(self)),
  };

  closed(terminal: DeskTerminal): void {
    this.all = this.all.filter((one) => one !== terminal);
    if (this.active === terminal) this.active = this.all.at(-1);
    editor.fire('window.onDidCloseTerminal', terminal);
  }

  dispose(): void {
    for (const terminal of this.all) terminal.dispose();
  }

  private create(options: TerminalOptions): DeskTerminal {
    const terminal = new DeskTerminal(this, options);
    this.all = [...this.all, terminal];
    return terminal;
  }
}
