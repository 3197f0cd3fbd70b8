import * as vscode from 'vscode';
import type { ChangePlace } from '../../../review/shown/changePlaces';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { openNotebook } from '../../workspaceFiles/openDocument';
import { notebookUnderReview } from './notebookUnderReview';

/**
 * Returns the selected cell of the active notebook, and its first and last line in the file. Returns undefined if no
 * notebook is active.
 */
export function activeCell(
  log: ReviewLog,
):
  | { readonly cell: vscode.NotebookCell; readonly uri: string; readonly first: number; readonly last: number }
  | undefined {
  const editor = vscode.window.activeNotebookEditor;
  if (!editor || editor.notebook.cellCount === 0) return undefined;
  const cell = editor.notebook.cellAt(editor.selection.start);
  const { start, end } = notebookUnderReview(log, editor.notebook)?.cells[cell.index] ?? { start: 0, end: 1 };
  const uri = editor.notebook.uri.toString();
  // Changes other than text are on the file's first line, which the first cell represents.
  const isFirst = cell.index === 0 && (log.file(uri)?.traitChanges.length ?? 0) > 0;
  return { cell, uri, first: isFirst ? 0 : start, last: end - 1 };
}

/**
 * Shows a change in the file's open notebook. Resolves to false if no notebook is open or the change isn't in a cell.
 */
export async function showCell(log: ReviewLog, { uri, ids }: ChangePlace, preserveFocus = false): Promise<boolean> {
  const notebook = openNotebook(vscode.Uri.parse(uri));
  const found = notebook && notebookUnderReview(log, notebook);
  const change = found?.changes.find(({ hunks }) => hunks.some(({ id }) => ids.includes(id)));
  const isTrait = log.file(uri)?.traitChanges.some(({ id }) => ids.includes(id)) === true;
  if (!notebook || (!change && !isTrait)) return false;
  const index = change ? Math.min(change.index, notebook.cellCount - 1) : 0;
  const range = new vscode.NotebookRange(index, index + 1);
  const editor = await vscode.window.showNotebookDocument(notebook, { selections: [range], preserveFocus });
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
  return true;
}
