import { chmod, mkdir, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { editorFollows } from '../review/editorFollows';
import { openNotebook } from '../review/notebooks/openNotebook';
import { openDocument } from '../review/presentState';
import { saveOver } from '../review/saveOver';
import { fileOnDisk } from './presentFile';

/** What a file is to become: all its permission bits where they are known, or whether it can be executed where that is. */
export interface Target {
  readonly bytes: Uint8Array;
  readonly permissions: { readonly mode: number } | { readonly isExecutable: boolean } | undefined;
}

/** Takes a file away, and its editor with it. */
export async function removeFile(uri: vscode.Uri): Promise<void> {
  await settleUnsaved(uri);
  // Through the editor, which then knows that its tab has nothing to show any more.
  await vscode.workspace.fs.delete(uri, { useTrash: false });
}

/** Gives a file these bytes; when it resolves, disk and editor agree. What was there comes back if writing fails. */
export async function writeBack(uri: vscode.Uri, { bytes, permissions }: Target): Promise<void> {
  await settleUnsaved(uri);
  const path = uri.fsPath;
  const before = await fileOnDisk(uri);
  await mkdir(dirname(path), { recursive: true });
  try {
    await write(path, bytes);
  } catch (error) {
    // A full disk takes the old bytes, for they fitted before.
    if (before.bytes) await writeFile(path, before.bytes).catch(() => undefined);
    throw error;
  }
  if (permissions && process.platform !== 'win32') await permit(path, permissions);
  await agree(uri, bytes);
}

/** Whether a notebook of this file has unsaved changes: its file is not what the user sees. */
export function isUnsavedNotebook(uri: vscode.Uri): boolean {
  return openNotebook(uri)?.isDirty === true;
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
    // Only an empty folder goes, such as one that stands where the file was.
    await rmdir(path);
    await writeFile(path, bytes);
  }
}

async function permit(path: string, permissions: NonNullable<Target['permissions']>): Promise<void> {
  const mode = (await stat(path)).mode & 0o777;
  if ('mode' in permissions) {
    if (permissions.mode !== mode) await chmod(path, permissions.mode);
  } else if (permissions.isExecutable !== ((mode & 0o111) !== 0)) {
    // Who may read the file may execute it.
    await chmod(path, permissions.isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
  }
}

/** Unsaved text has been put by: it is saved, so that the editor follows the file again and shows no conflict. */
async function settleUnsaved(uri: vscode.Uri): Promise<void> {
  const document = openDocument(uri);
  if (document?.isDirty !== true) return;
  // There may be a newer file, or none at all.
  if (!(await saveOver(document))) {
    throw new Error(l10n.t('The editor does not save the unsaved text of {0}.', basename(uri.path)));
  }
}

async function agree(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  const document = openDocument(uri);
  if (!document) return;
  await editorFollows(uri, await vscode.workspace.decode(bytes, { encoding: document.encoding }));
}
