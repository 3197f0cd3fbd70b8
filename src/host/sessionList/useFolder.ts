import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { FolderAction } from '../../shared/messages';
import { openTerminalTab } from '../ui/labels';

/** Opens the folder of a session in another window or in a terminal, or copies its path. */
export async function useFolder(path: string, action: FolderAction): Promise<void> {
  switch (action) {
    case 'open':
      await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(path), { forceNewWindow: true });
      return;
    case 'terminal':
      openTerminalTab({ name: basename(path), cwd: path }).show();
      return;
    case 'copyPath':
      await vscode.env.clipboard.writeText(path);
  }
}
