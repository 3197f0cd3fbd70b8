import * as vscode from 'vscode';
import type { Command } from './command';

/**
 * Shows Parley's commands with their keys, where they can be changed. Only VS Code's own editor knows the keys as the
 * user has set them, because no extension can read them.
 */
export function showKeys(): Command {
  return {
    id: 'parley.showKeys',
    async execute() {
      await vscode.commands.executeCommand('workbench.action.openGlobalKeybindings', '@ext:parley.parley-acp');
    },
  };
}
