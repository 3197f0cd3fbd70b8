import * as vscode from 'vscode';
import type { FollowedFile } from '../../shared/messages';
import { isSecretFile } from '../../shared/secretFile';
import { isHiddenIn } from './workspaceFiles';

/** Returns why a file isn't sent unless the user asks for it. */
export async function whyWithheld(uri: vscode.Uri): Promise<FollowedFile['withheld']> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (isSecretFile(uri.fsPath, folder?.uri.fsPath)) return 'secret';
  if (!folder) return 'outside';
  return (await isHiddenIn(folder, uri)) ? 'ignored' : undefined;
}
