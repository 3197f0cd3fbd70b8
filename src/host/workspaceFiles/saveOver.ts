import { stat, utimes } from 'node:fs/promises';
import type * as vscode from 'vscode';

/**
 * Saves a document over its file, also where that is newer than what the editor has read, which it refuses by itself: the caller
 * knows that nothing is lost by that. Answers whether it was saved.
 */
export async function saveOver(document: vscode.TextDocument): Promise<boolean> {
  const path = document.uri.fsPath;
  const old = await stat(path).catch(() => undefined);
  await utimes(path, 1, 1).catch(() => undefined);
  const isSaved = await document.save();
  if (!isSaved && old) await utimes(path, old.atime, old.mtime).catch(() => undefined);
  return isSaved;
}
