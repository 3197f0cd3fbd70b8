import type * as vscode from 'vscode';

/**
 * Returns whether an editor fills its tab. The editors inside diffs, multi-file diffs, and peeks are visible editors,
 * too, but only an editor that fills its tab has a column.
 */
export function isOwnEditor({ viewColumn }: vscode.TextEditor): boolean {
  return viewColumn !== undefined;
}
