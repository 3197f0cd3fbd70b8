import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { currentFolder, isOnDisk, openFolder } from '../base/folders';
import { pickOne } from '../ui/quickInput';

/**
 * Lets the user select one of several folders. Without any folder, offers to open one or to use an empty one, created
 * by `scratch`. Resolves to undefined if the user cancels.
 */
export async function pickFolder(scratch: () => string): Promise<string | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(isOnDisk);
  const current = currentFolder();
  if (current === undefined) return pickWithout(scratch);
  if (folders.length < 2) return current;
  const items = folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath }));
  items.sort((a, b) => Number(b.description === current) - Number(a.description === current));
  const placeHolder = l10n.t('Select a folder for the session');
  return (await pickOne(items, { placeHolder }))?.description;
}

async function pickWithout(scratch: () => string): Promise<string | undefined> {
  const open = { label: l10n.t('Open Folder…'), detail: l10n.t('The session can read and edit files in that folder.') };
  const empty = { label: l10n.t('Work in an empty folder'), detail: l10n.t('Other files need your permission.') };
  const picked = await pickOne([open, empty], { placeHolder: l10n.t('No folder is open') });
  if (picked === open) await openFolder();
  return picked === empty ? scratch() : undefined;
}
