import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pickOne } from './ui/quickInput';

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

/** Lets the user choose among several folders, or without any what to do; `scratch`: an empty one. Undefined when the user backs out. */
export async function pickFolder(scratch: () => string): Promise<string | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(isOnDisk);
  const current = currentFolder();
  if (current === undefined) return pickWithout(scratch);
  if (folders.length < 2) return current;
  const items = folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath }));
  items.sort((a, b) => Number(b.description === current) - Number(a.description === current));
  const placeHolder = l10n.t('Select a folder for the session');
  return (await pickOne(items, { placeHolder }))?.description;
}

async function pickWithout(scratch: () => string): Promise<string | undefined> {
  const open = { label: l10n.t('Open Folder…'), detail: l10n.t('The session can read and edit files in that folder.') };
  const empty = { label: l10n.t('Work in an empty folder'), detail: l10n.t('Other files need your permission.') };
  const picked = await pickOne([open, empty], { placeHolder: l10n.t('No folder is open') });
  if (picked === open) await openFolder();
  return picked === empty ? scratch() : undefined;
}

/** What the page calls the folder of new sessions; empty when no folder is open. */
export function folderName(): string {
  return (vscode.workspace.workspaceFolders ?? []).find(isOnDisk)?.name ?? '';
}

/** Whether agents can reach it. */
export function isOnDisk(folder: { readonly uri: vscode.Uri }): boolean {
  return folder.uri.scheme === 'file' || folder.uri.scheme === 'vscode-remote';
}
