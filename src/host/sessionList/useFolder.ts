import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { SessionKey } from '../../shared/ids';
import type { FolderAction } from '../../shared/messages';
import { openTerminalTab } from '../ui/labels';

/** Opens the folder of a session in another window or in a terminal, copies its path, or brings what is changed there here. */
export async function useFolder(path: string, action: FolderAction, session?: SessionKey): Promise<void> {
  switch (action) {
    case 'open':
      await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(path), { forceNewWindow: true });
      return;
    case 'terminal':
      openTerminalTab({ name: basename(path), cwd: path }).show();
      return;
    case 'copyPath':
      await vscode.env.clipboard.writeText(path);
      return;
    case 'bringChanges':
    case 'mergeBranch':
    case 'fetchBranch':
    case 'moveToWorktree':
    case 'discardWorktree':
    case 'commit':
      await vscode.commands.executeCommand(`parley.${action}`, session);
  }
}
