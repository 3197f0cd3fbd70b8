import { homedir } from 'node:os';
import { basename, dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import { isInWorktree, worktreeOf } from '../../worktree/made/worktreeOf';
import { fileKey, isInside } from './filePaths';

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

/**
 * Absolute paths of the folders that a session works in besides its own: the workspace folders. A session in a worktree doesn't work in the
 * folders that the worktree replaces.
 */
export function rootsBeside(cwd: string, roots: readonly string[]): readonly string[] {
  return roots.filter((root) => !isReplaced(cwd, root));
}

/**
 * Returns whether a path is in the working tree that the worktree of a session's folder replaces. A copy replaces everything: its agent sees no
 * other folder.
 */
export function isReplaced(cwd: string, path: string): boolean {
  const worktree = worktreeOf(cwd);
  if (worktree?.isCopy) return !isInWorktree(worktree, path);
  return (
    worktree !== undefined && isInside(fileKey(worktree.record.from), fileKey(path)) && !isInWorktree(worktree, path)
  );
}

/** Returns whether a folder is in a worktree of Parley's, whose changes can be brought into this window's folders. */
export function canBringFrom(cwd: string): boolean {
  const worktree = worktreeOf(cwd);
  return worktree !== undefined && fileRoots().some((root) => !isInWorktree(worktree, root));
}

/** `fileRoots`, and the worktree of Parley's that a folder is in. */
export function fileRootsWith(folder: string): string[] {
  const roots = fileRoots();
  const path = worktreeOf(folder)?.record.path;
  return path === undefined || roots.includes(path) ? roots : [...roots, path];
}

/** `fileRoots`, and the worktree of Parley's that has a file. */
export function fileRootsAround(path: string): string[] {
  return fileRootsWith(dirname(path));
}

/** Returns true if a file is in a workspace folder, or in a worktree of Parley's. */
export function isInRoots(uri: vscode.Uri): boolean {
  if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) return true;
  return uri.scheme === 'file' && worktreeOf(dirname(uri.fsPath)) !== undefined;
}

/** The path of a file as shown to the user: relative to the workspace, or in its worktree after the name of that. */
export function workspacePath(uri: vscode.Uri): string {
  const root = worktreeRoot(uri);
  return root === undefined ? vscode.workspace.asRelativePath(uri) : `${basename(root)}/${below(root, uri)}`;
}

/** The path of a file below its workspace folder, or below its worktree. */
export function pathInFolder(uri: vscode.Uri): string {
  const root = worktreeRoot(uri);
  return root === undefined ? vscode.workspace.asRelativePath(uri, false) : below(root, uri);
}

function worktreeRoot(uri: vscode.Uri): string | undefined {
  if (uri.scheme !== 'file' || vscode.workspace.getWorkspaceFolder(uri) !== undefined) return undefined;
  return worktreeOf(dirname(uri.fsPath))?.record.path;
}

function below(root: string, uri: vscode.Uri): string {
  return relative(root, uri.fsPath).replaceAll('\\', '/');
}

/** The folder name that the page shows for new sessions. Empty if no folder is open. */
export function folderName(): string {
  return (vscode.workspace.workspaceFolders ?? []).find(isOnDisk)?.name ?? '';
}

/** Returns true if agents can access the folder. */
export function isOnDisk(folder: { readonly uri: vscode.Uri }): boolean {
  return folder.uri.scheme === 'file' || folder.uri.scheme === 'vscode-remote';
}
