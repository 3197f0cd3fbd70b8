import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { attempt } from '../../shared/values/attempt';
import type { SessionKey } from '../../shared/values/ids';
import type { OtherWindow, WindowBoard } from '../sessions/stored/windowBoard';
import { showInformation } from '../ui/notifications';

/**
 * Opens a session where it is: the window that has it shows it, and gets the focus if VS Code can find it by its folder.
 * Otherwise, the user reads which window it is.
 */
export async function openElsewhere(board: WindowBoard, key: SessionKey): Promise<void> {
  // The window may have closed since the list was shown.
  await board.look();
  const window = board.others.find(({ rows }) => rows.some(({ session }) => session === key));
  if (!window) {
    void showInformation(l10n.t('This session is open in another window. Close it there to open it here.'));
    return;
  }
  await board.ask(window.id, key);
  const place = placeOf(window);
  if (place) await vscode.commands.executeCommand('vscode.openFolder', place, { forceNewWindow: true });
  else void showInformation(whereWords(window));
}

/** VS Code focuses the window that has a folder when that folder is opened. A browser would open it a second time. */
function placeOf({ place }: OtherWindow): vscode.Uri | undefined {
  // Its own folder would give the focus to this window.
  if (vscode.env.uiKind !== vscode.UIKind.Desktop || place === '' || place === ownWorkspace().place) return undefined;
  return attempt(() => vscode.Uri.parse(place, true));
}

function whereWords({ name }: OtherWindow): string {
  return name === ''
    ? l10n.t('This session is open in a window without a folder, which shows it now.')
    : l10n.t('This session is open in the window of “{0}”, which shows it now.', name);
}

/** Returns what other windows need to know about the workspace of this one. */
export function ownWorkspace(): { readonly name: string; readonly place: string } {
  const { name = '', workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const [folder] = workspaceFolders;
  // A workspace that isn't saved can't be opened by its file.
  const place = workspaceFile ? (workspaceFile.scheme === 'untitled' ? undefined : workspaceFile) : folder?.uri;
  return { name, place: place?.toString() ?? '' };
}
