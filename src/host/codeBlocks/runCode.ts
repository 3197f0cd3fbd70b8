import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showHidden, shortenMiddle } from '../../shared/text/visibleText';
import { askInFull } from '../ui/askInFull';
import { openTerminalTab } from '../ui/labels';
import { showWarning } from '../ui/notifications';
import type { UsedCode } from './usedCode';
import { commandText, hasControls } from './commandText';
import { languageOf } from './namedFile';

/** How long a new terminal may take to report its shell, in milliseconds. Shells without support never do. */
const shellMs = 3000;
/** Maximum length of the commands in the dialog, and how many lines fit into it. */
const shortLength = 600;
const shortLines = 15;

/** Runs a shell's code block in a new terminal in the session's folder, after the user has seen exactly what runs. */
export async function runCode({ session, text, info }: UsedCode): Promise<void> {
  const commands = commandText(text, languageOf(info));
  if (commands === '') {
    void showWarning(l10n.t('The code block has no commands.'));
    return;
  }
  if (hasControls(commands)) {
    void showWarning(
      l10n.t('The code block has control characters, so it can’t be run. Copy what you need and check it first.'),
    );
    return;
  }
  const { cwd, agentName } = session.transcript.view;
  const lines = commands.split('\n');
  const answer = await askInFull({
    question:
      lines.length === 1
        ? l10n.t('Run this command from {0}?', agentName)
        : l10n.t('Run these {0} lines from {1}?', lines.length, agentName),
    describe: (detail) => [...shown(commands, detail), '', l10n.t('Folder: {0}', showHidden(cwd))],
    yes: l10n.t('Run in Terminal'),
  });
  if (answer !== 'yes') return;
  const terminal = openTerminalTab({ name: l10n.t('Parley: {0}', agentName), cwd });
  terminal.show();
  await send(terminal, commands, lines.length > 1);
}

function shown(commands: string, detail: 'short' | 'whole'): readonly string[] {
  const visible = showHidden(commands);
  const lines = visible.split('\n');
  if (detail === 'whole' || (visible.length <= shortLength && lines.length <= shortLines)) return lines;
  const cut = lines.slice(0, shortLines);
  return [shortenMiddle(cut.join('\n'), shortLength), l10n.t('{0} lines in all', lines.length)];
}

/**
 * Sends the commands. Several lines go as one input if the shell supports it, so that no command can read the lines after it.
 * Otherwise, they are typed one after the other.
 */
async function send(terminal: vscode.Terminal, commands: string, isLong: boolean): Promise<void> {
  const shell = isLong ? await shellOf(terminal) : undefined;
  if (shell) shell.executeCommand(commands);
  else terminal.sendText(commands, true);
}

async function shellOf(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration | undefined> {
  if (terminal.shellIntegration) return terminal.shellIntegration;
  return new Promise((resolve) => {
    const done = (shell: vscode.TerminalShellIntegration | undefined) => {
      clearTimeout(timer);
      listener.dispose();
      resolve(shell);
    };
    const timer = setTimeout(() => done(undefined), shellMs);
    const listener = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) done(event.shellIntegration);
    });
  });
}
