import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { SessionKey } from '../../shared/values/ids';
import type { FolderAction } from '../../shared/pages/messages';
import type { Act } from '../base/actions';
import { openTerminalTab } from '../ui/labels';

/** What can be done with the changes in a session's folder. */
export type SessionAction = Exclude<FolderAction, 'open' | 'terminal' | 'copyPath'>;

/** Opens the folder of a session in another window or in a terminal, copies its path, or brings what is changed there here. */
export async function useFolder(
  act: Act<SessionAction>,
  path: string,
  action: FolderAction,
  session?: SessionKey,
): Promise<void> {
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
      await act(action, session);
  }
}
