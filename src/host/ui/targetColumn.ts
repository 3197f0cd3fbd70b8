import * as vscode from 'vscode';

/** Where to open a file: never the column of a chat tab, for what the user reads should not be covered by what they open. */
export function targetColumn(): vscode.ViewColumn {
  const group = vscode.window.tabGroups.activeTabGroup;
  const chat = group.activeTab?.input instanceof vscode.TabInputWebview;
  if (!chat) return vscode.ViewColumn.Active;
  const other = vscode.window.tabGroups.all.find((candidate) => candidate !== group);
  return other?.viewColumn ?? vscode.ViewColumn.Beside;
}
