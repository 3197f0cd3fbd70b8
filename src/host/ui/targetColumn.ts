import * as vscode from 'vscode';

/** The type of chat tabs. */
export const chatPanelType = 'parley.chatPanel';

/** Returns the column for opening a file: never that of a chat tab, because the file would cover what the user reads. */
export function targetColumn(): vscode.ViewColumn {
  const group = vscode.window.tabGroups.activeTabGroup;
  if (!isChat(group.activeTab)) return vscode.ViewColumn.Active;
  const other = vscode.window.tabGroups.all.find((candidate) => candidate !== group);
  return other?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** VS Code puts its own prefix before the type. Other pages, such as the review's, wait behind the file as files do. */
function isChat(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(chatPanelType);
}
