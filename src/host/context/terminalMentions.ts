import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../shared/disposable';
import { shortenMiddle, showHiddenOnOneLine } from '../../shared/visibleText';
import { textAttachment } from './attach';
import { matching, shortWord, type FoundMention, type MentionSource } from './mentionSource';
import { textLimit } from './readContext';
import { plainOutput } from './plainOutput';
import { terminalAttachment } from './terminalSelection';

/** Maximum number of characters that are kept of a command's output: the end, which has the result. */
const kept = 200_000;

/** A command that ended or is running in a terminal with shell integration. */
interface Command {
  readonly line: string;
  readonly id: number;
  output: string;
  exitCode: number | undefined;
}

/** Finds the last command of each terminal with its output, and the selection of the active terminal. */
export class TerminalMentions extends Disposable implements MentionSource {
  private readonly commands = new Map<vscode.Terminal, Command>();
  private readonly running = new Map<vscode.TerminalShellExecution, Command>();
  private lastId = 0;

  constructor() {
    super();
    this.register(vscode.window.onDidStartTerminalShellExecution((event) => void this.follow(event)));
    this.register(vscode.window.onDidEndTerminalShellExecution((event) => this.ended(event)));
    this.register(vscode.window.onDidCloseTerminal((terminal) => this.commands.delete(terminal)));
  }

  find(typed: string): Promise<readonly FoundMention[]> {
    const active = vscode.window.activeTerminal;
    const inOrder = [...this.commands].sort(([a], [b]) => Number(b === active) - Number(a === active));
    const found = inOrder.map(([terminal, command]) => commandMention(terminal, command));
    return matching(active ? [...found, selectionMention(active)] : found, typed, found.length + 1);
  }

  private async follow({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): Promise<void> {
    const command: Command = { line: execution.commandLine.value, id: ++this.lastId, output: '', exitCode: undefined };
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

function commandMention(terminal: vscode.Terminal, command: Command): FoundMention {
  const { line, id } = command;
  const name = showHiddenOnOneLine(terminal.name);
  const label = showHiddenOnOneLine(shortenMiddle(line, 100)) || l10n.t('Last command');
  return {
    id: `terminal:${id}`,
    kind: 'terminal',
    group: 'terminal',
    label,
    insert: shortWord(label),
    detail: name,
    icon: 'terminal',
    take: () => {
      const { output, exitCode } = command;
      const end = exitCode === undefined || exitCode === 0 ? '' : `\n(exit code ${exitCode})\n`;
      // VS Code reports nothing of some commands that end at once.
      const shown = plainOutput(output) || '(no output was reported)\n';
      const text = `$ ${line}\n${shown}${end}`;
      return Promise.resolve([textAttachment(`${l10n.t('Terminal {0}', name)}.txt`, text.slice(0, textLimit))]);
    },
  };
}

function selectionMention(terminal: vscode.Terminal): FoundMention {
  return {
    id: 'terminal:selection',
    kind: 'terminal',
    group: 'terminal',
    label: l10n.t('Selection'),
    insert: l10n.t('Terminal selection'),
    detail: showHiddenOnOneLine(terminal.name),
    icon: 'list-selection',
    take: async () => {
      const selection = await terminalAttachment();
      return selection ? [selection] : [];
    },
  };
}
