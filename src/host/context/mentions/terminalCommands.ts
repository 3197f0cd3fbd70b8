import * as vscode from 'vscode';
import { Disposable } from '../../../shared/values/disposable';

/** Maximum number of characters that are kept of a command's output: the end, which has the result. */
const kept = 200_000;

/** A command that ended or is running in a terminal with shell integration. */
export interface TerminalCommand {
  readonly line: string;
  readonly id: number;
  output: string;
  exitCode: number | undefined;
}

/** Remembers the last command of each terminal with its output, because VS Code has no list of them. */
export class TerminalCommands extends Disposable {
  private readonly commands = new Map<vscode.Terminal, TerminalCommand>();
  private readonly running = new Map<vscode.TerminalShellExecution, TerminalCommand>();
  private lastId = 0;

  constructor() {
    super();
    this.register(vscode.window.onDidStartTerminalShellExecution((event) => void this.follow(event)));
    this.register(vscode.window.onDidEndTerminalShellExecution((event) => this.ended(event)));
    this.register(vscode.window.onDidCloseTerminal((terminal) => this.commands.delete(terminal)));
  }

  get latest(): ReadonlyMap<vscode.Terminal, TerminalCommand> {
    return this.commands;
  }

  private async follow({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): Promise<void> {
    const { value: line } = execution.commandLine;
    const command: TerminalCommand = { line, id: ++this.lastId, output: '', exitCode: undefined };
    this.commands.set(terminal, command);
    this.running.set(execution, command);
    for await (const data of execution.read()) {
      command.output = (command.output + data).slice(-kept);
    }
  }

  private ended({ execution, exitCode }: vscode.TerminalShellExecutionEndEvent): void {
    const command = this.running.get(execution);
    if (command) command.exitCode = exitCode;
    this.running.delete(execution);
  }
}
