import type * as vscode from 'vscode';
import { isSameButLineBreaks } from '../../../review/lines';
import { reviewNotebook, type CellChange, type ReviewedNotebook } from '../../../review/notebookChanges';
import type { TextCell } from '../../../review/notebookText';
import type { ReviewLog } from '../../../review/reviewLog';

/** The type of the notebooks whose files are read cell by cell. */
export const jupyter = 'jupyter-notebook';

/** What waits in an open notebook; undefined while it shows something else than its file, or is of another type. */
export function notebookUnderReview(log: ReviewLog, notebook: vscode.NotebookDocument): ReviewedNotebook | undefined {
  if (notebook.notebookType !== jupyter) return undefined;
  const file = log.file(notebook.uri.toString());
  if (!file || file.hunks.length === 0) return undefined;
  const found = reviewNotebook(file.snapshot.text);
  return found && showsCells(notebook, found.cells) ? found : undefined;
}

/** Whether a notebook's cells have the sources of these, one by one. */
export function showsCells(notebook: vscode.NotebookDocument, cells: readonly TextCell[]): boolean {
  if (notebook.cellCount !== cells.length) return false;
  return notebook
    .getCells()
    .every(({ document }, index) => isSameButLineBreaks(document.getText(), cells[index]?.source ?? ''));
}

/** The changes that a cell stands for: its own, and those of cells that are gone from where it stands. */
export function changesAt({ cells, changes }: ReviewedNotebook, index: number): CellChange[] {
  return changes.filter(
    (change) => change.index === index || (index === cells.length - 1 && change.index === cells.length),
  );
}
