import { stat, utimes } from 'node:fs/promises';
import type * as vscode from 'vscode';

/**
 * Saves a document over its file, even if the file is newer than the editor's version, which the editor alone would
 * refuse. The caller must know that nothing is lost. Resolves to true if the document was saved.
 */
export async function saveOver(document: vscode.TextDocument): Promise<boolean> {
  const path = document.uri.fsPath;
  const old = await stat(path).catch(() => undefined);
  await utimes(path, 1, 1).catch(() => undefined);
  const isSaved = await document.save();
  if (!isSaved && old) await utimes(path, old.atime, old.mtime).catch(() => undefined);
  return isSaved;
}
