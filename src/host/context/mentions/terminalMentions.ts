import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shortenMiddle, showHiddenOnOneLine } from '../../../shared/text/visibleText';
import { textAttachment } from '../attachments/attach';
import { matching, shortWord, type FoundMention, type MentionSource } from './mentionSource';
import { textLimit } from '../attachments/readContext';
import { plainOutput } from './plainOutput';
import type { TerminalCommand, TerminalCommands } from './terminalCommands';
import { terminalAttachment } from './terminalSelection';

/** Finds the last command of each terminal with its output, and the selection of the active terminal. */
export class TerminalMentions implements MentionSource {
  private readonly commands: TerminalCommands;

  constructor(commands: TerminalCommands) {
    this.commands = commands;
  }

  find(typed: string): Promise<readonly FoundMention[]> {
    const active = vscode.window.activeTerminal;
    const inOrder = [...this.commands.latest].sort(([a], [b]) => Number(b === active) - Number(a === active));
    const found = inOrder.map(([terminal, command]) => commandMention(terminal, command));
    return matching(active ? [...found, selectionMention(active)] : found, typed, found.length + 1);
  }
}

function commandMention(terminal: vscode.Terminal, command: TerminalCommand): FoundMention {
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
