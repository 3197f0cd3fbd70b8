import * as vscode from 'vscode';

/** A window with a folder usually has it immediately, except with a slow remote. In milliseconds. */
const patienceMs = 60_000;

/**
 * Resolves once the window has its folder. Rejects if it has none, because a window occasionally can't read its
 * workspace when it opens.
 */
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
