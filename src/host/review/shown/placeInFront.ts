import * as vscode from 'vscode';
import { lineOfBaseLine } from '../../../review/shown/changePlaces';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { fileOf } from './baseContent';

/** Returns the file whose editor has or last had the focus, and the line of the cursor, from 0. */
export function placeInFront(log: ReviewLog): { readonly uri: string; readonly line: number } | undefined {
  const editor = vscode.window.activeTextEditor;
  // The editor of a file that isn't text is visible only through its tab.
  const shown = editor?.document.uri ?? uriOfTab();
  if (!shown) return undefined;
  const uri = fileOf(shown);
  const file = log.file(uri);
  if (!editor || (file && file.current.kind !== 'text')) return { uri, line: 0 };
  const line = editor.selection.active.line;
  return { uri, line: file && uri !== shown.toString() ? lineOfBaseLine(file.hunks, line) : line };
}

function uriOfTab(): vscode.Uri | undefined {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  const { uri, modified } = (input ?? {}) as { readonly uri?: unknown; readonly modified?: unknown };
  return [uri, modified].find((one) => one instanceof vscode.Uri);
}
