import * as vscode from 'vscode';

/** A window that has its folder by now would have it at once, but for a slow remote. */
const patienceMs = 15_000;

/** Resolves when the window has its folder. Rejects when it has none: now and then a window cannot read its workspace when it opens. */
export async function untilFolder(): Promise<void> {
  if (vscode.workspace.workspaceFolders?.length) return;
  await new Promise<void>((resolve, reject) => {
    const guard = setTimeout(() => {
      listener.dispose();
      reject(new Error('The window was opened without its folder.'));
    }, patienceMs);
    const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      clearTimeout(guard);
      listener.dispose();
      resolve();
    });
  });
}
