import { homedir } from 'node:os';
import * as vscode from 'vscode';

/**
 * The absolute path of the folder for a new session: the active editor's folder, or the first. Undefined if no folder
 * is open.
 */
export function currentFolder(): string | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const active = vscode.window.activeTextEditor?.document.uri;
  const folder = (active && vscode.workspace.getWorkspaceFolder(active)) ?? folders.find(isOnDisk);
  return folder && isOnDisk(folder) ? folder.uri.fsPath : undefined;
}

/** The folder for an agent that only answers queries. No session works there. */
export function folderToAsk(): string {
  return currentFolder() ?? homedir();
}

/** Lets the user open a folder. The window then reloads with that folder. */
export async function openFolder(): Promise<void> {
  await vscode.commands.executeCommand('vscode.openFolder');
}

/** Absolute paths of all workspace folders that agents can reach. */
export function workspaceRoots(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(isOnDisk).map((folder) => folder.uri.fsPath);
}

/** Absolute paths of the workspace folders whose files Parley reads and writes itself. */
export function fileRoots(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

/** The folder name that the page shows for new sessions. Empty if no folder is open. */
export function folderName(): string {
  return (vscode.workspace.workspaceFolders ?? []).find(isOnDisk)?.name ?? '';
}

/** Returns true if agents can access the folder. */
export function isOnDisk(folder: { readonly uri: vscode.Uri }): boolean {
  return folder.uri.scheme === 'file' || folder.uri.scheme === 'vscode-remote';
}
