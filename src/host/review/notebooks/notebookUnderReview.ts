import type * as vscode from 'vscode';
import { reviewNotebook, type CellChange, type ReviewedNotebook } from '../../../review/shown/notebookChanges';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { showsCells } from '../../fileChanges/changeCells';

/** The type of notebooks whose files are read by cell. */
export const jupyter = 'jupyter-notebook';

/**
 * Returns the pending changes of an open notebook. Returns undefined if the notebook doesn't show its file or has
 * another type.
 */
export function notebookUnderReview(log: ReviewLog, notebook: vscode.NotebookDocument): ReviewedNotebook | undefined {
  if (notebook.notebookType !== jupyter) return undefined;
  const file = log.file(notebook.uri.toString());
  if (!file || file.hunks.length === 0) return undefined;
  const found = reviewNotebook(file.snapshot.text);
  return found && showsCells(notebook, found.cells) ? found : undefined;
}

/** Returns the changes shown on a cell: its own, and those of cells deleted at its position. */
export function changesAt({ cells, changes }: ReviewedNotebook, index: number): CellChange[] {
  return changes.filter(
    (change) => change.index === index || (index === cells.length - 1 && change.index === cells.length),
  );
}
