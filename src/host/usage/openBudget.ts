import * as vscode from 'vscode';

/** Opens the setting with the user's budgets. */
export function openBudget(): void {
  void vscode.commands.executeCommand('workbench.action.openSettings', 'parley.budget');
}
