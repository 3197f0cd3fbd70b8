import * as vscode from 'vscode';
import { cellPieces } from '../../../review/cellPieces';
import { readNotebook, type TextCell } from '../../../review/notebookText';
import { applyEdits } from '../../workspaceFiles/workspaceFile';
import { showsCells } from './notebookUnderReview';

/**
 * Brings the cells of an open notebook from one text of its file to another by edits that the editor's own undo takes back,
 * and saves. Answers false, having done nothing, where that is not possible: outputs come back only with the file.
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
  // As VS Code's reader of these files lays them out.
  data.metadata = { metadata, ...(id === undefined ? {} : { id }), ...(isCode ? { execution_count: null } : {}) };
  return data;
}
