import * as vscode from 'vscode';
import { cellPieces } from '../../review/hunks/cellPieces';
import { isSameButLineBreaks } from '../../review/lines/lines';
import { readNotebook, type TextCell } from '../../review/hunks/notebookText';
import { applyEdits } from '../workspaceFiles/workspaceFile';

/** Returns true if the notebook's cells have the same sources as `cells`, in order. */
export function showsCells(notebook: vscode.NotebookDocument, cells: readonly TextCell[]): boolean {
  if (notebook.cellCount !== cells.length) return false;
  return notebook
    .getCells()
    .every(({ document }, index) => isSameButLineBreaks(document.getText(), cells[index]?.source ?? ''));
}

/**
 * Changes an open notebook's cells from one text of its file to another and saves. The editor's own undo can revert the
 * edits. Resolves to false without changing anything if that isn't possible, because outputs are restored only with the
 * file.
 */
export async function changeCells(notebook: vscode.NotebookDocument, before: string, after: string): Promise<boolean> {
  const [now, then] = [readNotebook(before), readNotebook(after)];
  if (!now || !then || now.surroundings !== then.surroundings || !showsCells(notebook, now.cells)) return false;
  const change = new vscode.WorkspaceEdit();
  const edits: vscode.NotebookEdit[] = [];
  for (const { oldStart, oldEnd, newStart, newEnd } of cellPieces(now.cells, then.cells)) {
    const [old, next] = [now.cells[oldStart], then.cells[newStart]];
    const isOne = oldEnd - oldStart === 1 && newEnd - newStart === 1;
    if (isOne && old && next && old.rest === next.rest) {
      const { document } = notebook.cellAt(oldStart);
      const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
      change.replace(document.uri, all, next.source);
      continue;
    }
    const cells = then.cells.slice(newStart, newEnd);
    if (cells.some(({ hasOutputs }) => hasOutputs)) return false;
    const data = cells.map((cell) => dataOf(cell, notebook));
    edits.push(vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(oldStart, oldEnd), data));
  }
  if (edits.length > 0) change.set(notebook.uri, edits.reverse());
  if (change.size === 0 || !(await applyEdits(change))) return false;
  await notebook.save();
  return true;
}

function dataOf({ kind, source, metadata, id }: TextCell, notebook: vscode.NotebookDocument): vscode.NotebookCellData {
  const isCode = kind === 'code';
  const sibling = notebook.getCells().find((cell) => cell.kind === vscode.NotebookCellKind.Code)?.document.languageId;
  const language = isCode ? (sibling ?? 'python') : kind === 'markdown' ? 'markdown' : 'raw';
  const cellKind = isCode || kind === 'raw' ? vscode.NotebookCellKind.Code : vscode.NotebookCellKind.Markup;
  const data = new vscode.NotebookCellData(cellKind, source, language);
  // Same structure as VS Code's notebook serializer.
  data.metadata = { metadata, ...(id === undefined ? {} : { id }), ...(isCode ? { execution_count: null } : {}) };
  return data;
}
