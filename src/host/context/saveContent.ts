import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SavableBlock } from '../../shared/content';
import { savedBytes, savedName } from './savedFile';
import { tellInStatusBar } from '../ui/labels';

/** How long the status bar shows the message, in milliseconds. */
const toldMs = 5000;

/**
 * Saves content from an agent where the user chooses. The dialog confirms before it replaces a file. Rejects with a
 * sentence.
 */
export async function saveContent(block: SavableBlock): Promise<void> {
  const name = savedName(block);
  const bytes = savedBytes(block);
  if (!bytes) {
    throw new Error(l10n.t('The file “{0}” from the agent is corrupted. Ask the agent to send it again.', name));
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const uri = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, name),
    saveLabel: l10n.t('Save'),
    title: l10n.t('Save “{0}”', name),
  });
  if (!uri) return;
  await vscode.workspace.fs.writeFile(uri, bytes);
  // Not a notification, because the user has just chosen the place.
  tellInStatusBar(l10n.t('Saved as {0}', uri.fsPath), toldMs);
}
