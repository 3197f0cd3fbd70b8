import * as vscode from 'vscode';
import type { HunkPlace } from '../../../review/hunkPlaces';
import type { ReviewLog } from '../../../review/reviewLog';
import { notebookUnderReview, openNotebook } from './openNotebook';

/** The cell that is selected in the notebook in front, and its first and last line in the file; undefined when no notebook is. */
export function activeCell(
  log: ReviewLog,
):
  | { readonly cell: vscode.NotebookCell; readonly uri: string; readonly first: number; readonly last: number }
  | undefined {
  const editor = vscode.window.activeNotebookEditor;
  if (!editor || editor.notebook.cellCount === 0) return undefined;
  const cell = editor.notebook.cellAt(editor.selection.start);
  const { start, end } = notebookUnderReview(log, editor.notebook)?.cells[cell.index] ?? { start: 0, end: 1 };
  return { cell, uri: editor.notebook.uri.toString(), first: start, last: end - 1 };
}

/** Shows a change in the notebook that is open for its file; answers false when none is, or when it lies in no cell. */
export async function showCell(log: ReviewLog, { uri, hunk }: HunkPlace): Promise<boolean> {
  const notebook = openNotebook(vscode.Uri.parse(uri));
  const found = notebook && notebookUnderReview(log, notebook);
  const change = found?.changes.find(({ hunks }) => hunks.some(({ id }) => id === hunk.id));
  if (!notebook || !found || !change) return false;
  const index = Math.min(change.index, found.cells.length - 1);
  const range = new vscode.NotebookRange(index, index + 1);
  const editor = await vscode.window.showNotebookDocument(notebook, { selections: [range] });
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
  return true;
}
