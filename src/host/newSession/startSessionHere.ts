import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { warnUntrusted } from '../agents/trust';
import { showError } from '../ui/notifications';
import { openNewSession, type NewSessionServices } from './openNewSession';

/** Opens a session with the default agent in a folder: the one in the Explorer, or one that the user selects. */
export async function startSessionHere(services: NewSessionServices, argument: unknown): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  const uri = argument instanceof vscode.Uri ? argument : await chooseFolder();
  if (!uri) return;
  const cwd = await folderOf(uri);
  if (cwd === undefined) void showError(l10n.t('There’s no folder {0} that agents can use.', uri.fsPath));
  else await openNewSession(services, { cwd });
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const start = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    title: l10n.t('Start Session Here'),
    openLabel: l10n.t('Start Session'),
    ...(start && { defaultUri: start }),
  });
  return picked?.[0];
}

/** Returns the path of the folder, or of a file's folder. */
async function folderOf(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme !== 'file') return undefined;
  try {
    return (await stat(uri.fsPath)).isDirectory() ? uri.fsPath : dirname(uri.fsPath);
  } catch {
    return undefined;
  }
}
