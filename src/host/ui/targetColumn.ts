import * as vscode from 'vscode';

/**
 * Returns the column for opening a file: never that of a chat tab, because the file would cover what the user reads.
 */
export function targetColumn(): vscode.ViewColumn {
  const group = vscode.window.tabGroups.activeTabGroup;
  const chat = group.activeTab?.input instanceof vscode.TabInputWebview;
  if (!chat) return vscode.ViewColumn.Active;
  const other = vscode.window.tabGroups.all.find((candidate) => candidate !== group);
  return other?.viewColumn ?? vscode.ViewColumn.Beside;
}
