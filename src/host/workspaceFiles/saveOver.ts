import { utimes } from 'node:fs/promises';
import type * as vscode from 'vscode';

/**
 * Saves a document over its file, also where that is newer than what the editor has read, which it refuses by itself: the caller
 * knows that nothing is lost by that. Answers whether it was saved.
 */
export async function saveOver(document: vscode.TextDocument): Promise<boolean> {
  await utimes(document.uri.fsPath, 1, 1).catch(() => undefined);
  return document.save();
}
