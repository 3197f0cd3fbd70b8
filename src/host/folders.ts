import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pickOne } from './ui/quickInput';

/** The folder a new session works in: that of the active editor, else the first, else the user's home. Absolute. */
export function currentFolder(): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const active = vscode.window.activeTextEditor?.document.uri;
  const folder = (active && vscode.workspace.getWorkspaceFolder(active)) ?? folders.find(isOnDisk);
  return folder && isOnDisk(folder) ? folder.uri.fsPath : homedir();
}

/** Absolute paths of all workspace folders that agents can reach. */
export function workspaceRoots(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(isOnDisk).map((folder) => folder.uri.fsPath);
}

/** Lets the user choose among several folders; undefined when the user backs out. */
export async function pickFolder(): Promise<string | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(isOnDisk);
  const current = currentFolder();
  if (folders.length < 2) return current;
  const items = folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath }));
  items.sort((a, b) => Number(b.description === current) - Number(a.description === current));
  const placeHolder = l10n.t('Which folder does it work in?');
  return (await pickOne(items, { placeHolder }))?.description;
}

/** What the page calls the folder of new sessions; empty when no folder is open. */
export function folderName(): string {
  return (vscode.workspace.workspaceFolders ?? []).find(isOnDisk)?.name ?? '';
}

/** Whether agents can reach it. */
export function isOnDisk(folder: { readonly uri: vscode.Uri }): boolean {
  return folder.uri.scheme === 'file' || folder.uri.scheme === 'vscode-remote';
}
