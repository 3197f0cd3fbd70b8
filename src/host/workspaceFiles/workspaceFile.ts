import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { wayBelow } from '../../disk/paths';
import { editorFollows } from './editorFollows';
import { openDocument, openNotebook } from './openDocument';
import { diskFiles } from './diskFile';
import { FileProblem } from './fileProblem';
import { placeOf } from './presentFile';
import type { RemovedFiles } from './removedFiles';
import { saveOver } from './saveOver';

/** Permission bits to set: all of them, or only whether the file is executable. */
export type Permissions = { readonly mode: number } | { readonly isExecutable: boolean };

/** Returns a file's bytes on disk, or undefined if it doesn't exist. Rejects for a link. */
export async function bytesOnDisk(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return (await diskFiles.read(await placeOf(uri)))?.bytes;
}

/** Resolves to true if the file on disk has exactly these bytes. */
export async function holdsBytes(uri: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  const now = await bytesOnDisk(uri);
  return now !== undefined && Buffer.from(bytes).equals(now);
}

/** Resolves to true if there is a link in the file's place. */
export async function isLink(uri: vscode.Uri): Promise<boolean> {
  return (await diskFiles.look(await placeOf(uri))).kind === 'link';
}

/** Resolves to true if the path exists. */
export async function isThere(uri: vscode.Uri): Promise<boolean> {
  return (await diskFiles.look(await placeOf(uri))).kind !== 'absent';
}

/**
 * Writes a file atomically. Replaces a link in its place, but not the link's target. Creates missing parent folders.
 */
export async function putBytes(uri: vscode.Uri, bytes: Uint8Array, permissions?: Permissions): Promise<void> {
  const place = await placeOf(uri);
  const mode = permissions && 'mode' in permissions ? permissions.mode : undefined;
  const { kind } = await diskFiles.look(place);
  await diskFiles.replace(place, bytes, { mode, expected: kind === 'link' ? 'link' : 'any' });
  if (permissions && 'isExecutable' in permissions) await setExecutable(uri, permissions.isExecutable);
}

/** Like `putBytes`, but also replaces unsaved text, which the caller has stored. Afterwards, disk and editor agree. */
export async function putBytesOver(uri: vscode.Uri, bytes: Uint8Array, permissions?: Permissions): Promise<void> {
  // A save would write through the link.
  if (await isLink(uri)) await putBytes(uri, bytes);
  await settleUnsaved(uri);
  await putBytes(uri, bytes, permissions);
  const document = openDocument(uri);
  if (document) await editorFollows(uri, await vscode.workspace.decode(bytes, { encoding: document.encoding }));
}

/** Creates a symbolic link in a file's place. Discards unsaved text, which the caller has stored. */
export async function putLink(uri: vscode.Uri, target: string): Promise<void> {
  const place = await placeOf(uri);
  if (await isLink(uri)) await diskFiles.remove(place);
  await settleUnsaved(uri);
  await diskFiles.replaceByLink(place, target);
}

/**
 * Removes a file, its editor, and its unsaved text. Removes only the link, not its target. With `removed`, the file can
 * be found there or in the trash. Without it, the caller has stored the content.
 */
export async function takeAway(uri: vscode.Uri, removed?: RemovedFiles): Promise<void> {
  const place = await placeOf(uri);
  const { kind } = await diskFiles.look(place);
  if (kind === 'directory' || kind === 'special') throw new FileProblem(kind, place);
  const isOpen = openDocument(uri) !== undefined;
  // A save would write through the link.
  if (kind === 'link' && isOpen) await diskFiles.remove(place);
  await settleUnsaved(uri);
  const isStillThere = (await diskFiles.look(place)).kind !== 'absent';
  if (!removed) {
    // Deletes through the editor, so that it closes the tab. Slow for many files.
    if (isStillThere && isOpen) await vscode.workspace.fs.delete(uri, { useTrash: false });
    else if (isStillThere) await diskFiles.remove(place);
    return;
  }
  if (!isOpen) {
    await removed.takeAway(place);
    return;
  }
  if (isStillThere) await removed.putBy(place);
  // The editor's own undo can restore the notebook.
  const change = new vscode.WorkspaceEdit();
  change.deleteFile(uri, { ignoreIfNotExists: true });
  if (!(await vscode.workspace.applyEdit(change))) {
    throw new Error(l10n.t('The editor couldn’t delete {0}. Nothing was undone.', uri.path));
  }
}

/** Moves a folder with everything in it to where the user can find it. Rejects if a file in it has unsaved text. */
export async function takeWholeFolder(uri: vscode.Uri, removed: RemovedFiles): Promise<void> {
  const place = await placeOf(uri);
  if ((await diskFiles.look(place)).kind !== 'directory') return takeAway(uri, removed);
  const unsaved = vscode.workspace.textDocuments.find(
    (document) =>
      document.isDirty && document.uri.scheme === 'file' && wayBelow(place, document.uri.fsPath) !== undefined,
  );
  if (unsaved)
    throw new Error(l10n.t('The file {0} has unsaved changes. Save or revert them first.', unsaved.uri.fsPath));
  await removed.takeAway(place);
}

/** Removes an empty folder. Does nothing if it doesn't exist. */
export async function takeFolderAway(uri: vscode.Uri): Promise<void> {
  const place = await placeOf(uri);
  if ((await diskFiles.look(place)).kind === 'directory') await diskFiles.removeFolder(place);
}

/** Creates a folder and its parents. */
export async function makeFolder(uri: vscode.Uri): Promise<void> {
  await diskFiles.makeFolder(await placeOf(uri));
}

/** Sets a file's permission bits. */
export async function setPermissions(uri: vscode.Uri, permissions: Permissions): Promise<void> {
  if ('mode' in permissions) await diskFiles.setMode(await placeOf(uri), permissions.mode);
  else await setExecutable(uri, permissions.isExecutable);
}

/** Lets a file be written that isn't writable and is to be so afterwards. */
export async function allowWriting(uri: vscode.Uri, permissions: Permissions): Promise<void> {
  if (!('mode' in permissions) || (permissions.mode & 0o200) === 0) return;
  const place = await placeOf(uri);
  const found = await diskFiles.look(place);
  if (found.kind === 'file' && (found.mode & 0o200) === 0) await diskFiles.setMode(place, permissions.mode);
}

/** Sets or clears a file's executable bits. Sets them only where the read bits are set, and keeps all others. */
async function setExecutable(uri: vscode.Uri, isExecutable: boolean): Promise<void> {
  const place = await placeOf(uri);
  const found = await diskFiles.look(place);
  if (found.kind !== 'file' || isExecutable === ((found.mode & 0o111) !== 0)) return;
  await diskFiles.setMode(place, isExecutable ? found.mode | ((found.mode & 0o444) >> 2) : found.mode & ~0o111);
}

/** Renames a file in the editor, including its tab. Resolves to true if the editor did. */
export async function move(from: vscode.Uri, to: vscode.Uri): Promise<boolean> {
  await placeOf(from);
  await placeOf(to);
  const change = new vscode.WorkspaceEdit();
  change.renameFile(from, to, { overwrite: false });
  return vscode.workspace.applyEdit(change);
}

/** Changes documents and notebooks in the editor as one undo step. Resolves to true if the editor did. */
export async function applyEdits(change: vscode.WorkspaceEdit): Promise<boolean> {
  return vscode.workspace.applyEdit(change);
}

/** Returns true if the file's notebook has unsaved changes, so the file isn't what the user sees. */
export function isUnsavedNotebook(uri: vscode.Uri): boolean {
  return openNotebook(uri)?.isDirty === true;
}

/** Saves unsaved text, which the caller has stored, so that the editor follows the file again without a conflict. */
async function settleUnsaved(uri: vscode.Uri): Promise<void> {
  const document = openDocument(uri);
  if (document?.isDirty !== true) return;
  // The file may be newer or may not exist.
  if (!(await saveOver(document))) {
    throw new Error(l10n.t('The editor couldn’t save {0}, which has unsaved changes.', basename(uri.path)));
  }
}
