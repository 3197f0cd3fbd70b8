import { homedir } from 'node:os';
import * as vscode from 'vscode';

/** The folder a new session works in: that of the active editor, else the first; undefined when none is open. Absolute. */
export function currentFolder(): string | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const active = vscode.window.activeTextEditor?.document.uri;
  const folder = (active && vscode.workspace.getWorkspaceFolder(active)) ?? folders.find(isOnDisk);
  return folder && isOnDisk(folder) ? folder.uri.fsPath : undefined;
}

/** Where an agent runs that is only asked something. No session works there. */
export function folderToAsk(): string {
  return currentFolder() ?? homedir();
}

/** Lets the user open a folder; the window then begins anew in it. */
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

/** What the page calls the folder of new sessions; empty when no folder is open. */
export function folderName(): string {
  return (vscode.workspace.workspaceFolders ?? []).find(isOnDisk)?.name ?? '';
}

/** Whether agents can reach it. */
export function isOnDisk(folder: { readonly uri: vscode.Uri }): boolean {
  return folder.uri.scheme === 'file' || folder.uri.scheme === 'vscode-remote';
}
