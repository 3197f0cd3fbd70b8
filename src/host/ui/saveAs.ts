import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { tellInStatusBar } from './labels';

/** How long the status bar shows the message, in milliseconds. */
const toldMs = 5000;

/**
 * Saves content where the user chooses. `name` is the proposed file name. The dialog confirms before it replaces a
 * file. Rejects if the file can't be written.
 */
export async function saveAs(
  name: string,
  bytes: Uint8Array,
  filters?: Readonly<Record<string, string[]>>,
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const uri = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, name),
    saveLabel: l10n.t('Save'),
    title: l10n.t('Save “{0}”', name),
    ...(filters && { filters }),
  });
  if (!uri) return;
  await vscode.workspace.fs.writeFile(uri, bytes);
  // Not a notification, because the user has just chosen the place.
  tellInStatusBar(l10n.t('Saved as {0}', uri.fsPath), toldMs);
}
