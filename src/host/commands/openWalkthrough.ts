import * as vscode from 'vscode';
import type { Command } from './command';

/** Opens the walkthrough of the editor's Welcome page. */
export function openWalkthrough(): Command {
  return {
    id: 'parley.openWalkthrough',
    async execute() {
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'parley.parley-acp#parley.start', false);
    },
  };
}
