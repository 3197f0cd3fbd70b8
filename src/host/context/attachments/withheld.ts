import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { FollowedFile } from '../../../shared/pages/messages';
import { isSecretFile } from '../../../shared/limits/secretFile';
import { worktreeOf } from '../../../worktree/made/worktreeOf';

/** Returns why a file isn't sent unless the user asks for it. */
export async function whyWithheld(uri: vscode.Uri): Promise<FollowedFile['withheld']> {
  const folder = vscode.workspace.getWorkspaceFolder(uri) ?? worktreeFolder(uri);
  if (isSecretFile(uri.fsPath, folder?.uri.fsPath)) return 'secret';
  if (!folder) return 'outside';
  const { isHiddenIn } = await import('../search/workspaceFiles');
  return (await isHiddenIn(folder, uri)) ? 'ignored' : undefined;
}

/** Files in a worktree of Parley's are the project's as much as those of the workspace. */
function worktreeFolder({ scheme, fsPath }: vscode.Uri): { readonly uri: vscode.Uri } | undefined {
  const worktree = scheme === 'file' ? worktreeOf(dirname(fsPath)) : undefined;
  return worktree && { uri: vscode.Uri.file(worktree.record.path) };
}
