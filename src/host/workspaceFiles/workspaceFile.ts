import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { editorFollows } from './editorFollows';
import { openDocument, openNotebook } from './openDocument';
import { diskFiles } from './diskFile';
import { FileProblem } from './fileProblem';
import { placeOf } from './presentFile';
import type { RemovedFiles } from './removedFiles';
import { saveOver } from './saveOver';

/** Permission bits that a file is to have: all of them where they are known, or whether it can be executed. */
export type Permissions = { readonly mode: number } | { readonly isExecutable: boolean };

/** What bytes a file has on disk; undefined when there is none. Rejects for a link. */
export async function bytesOnDisk(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return (await diskFiles.read(await placeOf(uri)))?.bytes;
}

/** Whether a link stands in a file's place. */
export async function isLink(uri: vscode.Uri): Promise<boolean> {
  return (await diskFiles.look(await placeOf(uri))).kind === 'link';
}

/** Whether there is anything by that name. */
export async function isThere(uri: vscode.Uri): Promise<boolean> {
  return (await diskFiles.look(await placeOf(uri))).kind !== 'absent';
}

/**
 * Gives a file these bytes, whole or not at all; a link in its place gives way, and what it leads to stays. Folders above it are made
 * where they are missing.
 */
export async function putBytes(uri: vscode.Uri, bytes: Uint8Array, permissions?: Permissions): Promise<void> {
  const place = await placeOf(uri);
  const mode = permissions && 'mode' in permissions ? permissions.mode : undefined;
  const { kind } = await diskFiles.look(place);
  await diskFiles.replace(place, bytes, { mode, expected: kind === 'link' ? 'link' : 'any' });
  if (permissions && 'isExecutable' in permissions) await setExecutable(uri, permissions.isExecutable);
}

/** As `putBytes`; unsaved text, which the caller has put by, goes as well. When it resolves, disk and editor agree. */
export async function putBytesOver(uri: vscode.Uri, bytes: Uint8Array, permissions?: Permissions): Promise<void> {
  // Saved text would go through it.
  if (await isLink(uri)) await putBytes(uri, bytes);
  await settleUnsaved(uri);
  await putBytes(uri, bytes, permissions);
  const document = openDocument(uri);
  if (document) await editorFollows(uri, await vscode.workspace.decode(bytes, { encoding: document.encoding }));
}

/** Puts a symbolic link in a file's place; unsaved text, which the caller has put by, goes. */
export async function putLink(uri: vscode.Uri, target: string): Promise<void> {
  const place = await placeOf(uri);
  if (await isLink(uri)) await diskFiles.remove(place);
  await settleUnsaved(uri);
  await diskFiles.replaceByLink(place, target);
}

/**
 * Takes a file away, and its editor with it; unsaved text goes as well. Of a link goes the link. With `removed` the file can be found
 * again, there or in the trash; without it whoever calls has kept its content.
 */
export async function takeAway(uri: vscode.Uri, removed?: RemovedFiles): Promise<void> {
  const place = await placeOf(uri);
  const { kind } = await diskFiles.look(place);
  if (kind === 'directory' || kind === 'special') throw new FileProblem(kind, place);
  const isOpen = openDocument(uri) !== undefined;
  // Text that is saved would go through it.
  if (kind === 'link' && isOpen) await diskFiles.remove(place);
  await settleUnsaved(uri);
  const isStillThere = (await diskFiles.look(place)).kind !== 'absent';
  if (!removed) {
    // Through the editor, which then knows that its tab has nothing to show any more. It takes a moment for each.
    if (isStillThere && isOpen) await vscode.workspace.fs.delete(uri, { useTrash: false });
    else if (isStillThere) await diskFiles.remove(place);
    return;
  }
  if (!isOpen) {
    await removed.takeAway(place);
    return;
  }
  if (isStillThere) await removed.putBy(place);
  // The editor's own undo brings it back.
  const change = new vscode.WorkspaceEdit();
  change.deleteFile(uri, { ignoreIfNotExists: true });
  if (!(await vscode.workspace.applyEdit(change))) {
    throw new Error(l10n.t('The editor couldn’t delete {0}. Nothing was undone.', uri.path));
  }
}

/** Takes an empty folder away; nothing happens when there is none. */
export async function takeFolderAway(uri: vscode.Uri): Promise<void> {
  const place = await placeOf(uri);
  if ((await diskFiles.look(place)).kind === 'directory') await diskFiles.removeFolder(place);
}

/** Makes a folder and those above it. */
export async function makeFolder(uri: vscode.Uri): Promise<void> {
  await diskFiles.makeFolder(await placeOf(uri));
}

/** Sets all permission bits of a file. */
export async function setMode(uri: vscode.Uri, mode: number): Promise<void> {
  await diskFiles.setMode(await placeOf(uri), mode);
}

/** Sets whether a file can be executed: whoever may read may execute; the other bits stay. */
export async function setExecutable(uri: vscode.Uri, isExecutable: boolean): Promise<void> {
  const place = await placeOf(uri);
  const found = await diskFiles.look(place);
  if (found.kind !== 'file' || isExecutable === ((found.mode & 0o111) !== 0)) return;
  await diskFiles.setMode(place, isExecutable ? found.mode | ((found.mode & 0o444) >> 2) : found.mode & ~0o111);
}

/** Renames a file in the editor, which takes its tab along. Answers whether the editor did. */
export async function move(from: vscode.Uri, to: vscode.Uri): Promise<boolean> {
  await placeOf(from);
  await placeOf(to);
  const change = new vscode.WorkspaceEdit();
  change.renameFile(from, to, { overwrite: false });
  return vscode.workspace.applyEdit(change);
}

/** Changes documents and notebooks in the editor, as one step of its undo. Answers whether the editor did. */
export async function applyEdits(change: vscode.WorkspaceEdit): Promise<boolean> {
  return vscode.workspace.applyEdit(change);
}

/** Whether a notebook of this file has unsaved changes: its file is not what the user sees. */
export function isUnsavedNotebook(uri: vscode.Uri): boolean {
  return openNotebook(uri)?.isDirty === true;
}

/** Unsaved text has been put by: it is saved, so that the editor follows the file again and shows no conflict. */
async function settleUnsaved(uri: vscode.Uri): Promise<void> {
  const document = openDocument(uri);
  if (document?.isDirty !== true) return;
  // There may be a newer file, or none at all.
  if (!(await saveOver(document))) {
    throw new Error(l10n.t('The editor couldn’t save {0}, which has unsaved changes.', basename(uri.path)));
  }
}
