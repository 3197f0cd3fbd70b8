import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { mergeAuthors } from '../../../review/hunks/hunk';
import { diffLines } from '../../../shared/diff/lineDiff';
import type { CellChange } from '../../../review/shown/notebookChanges';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { Disposable } from '../../../shared/values/disposable';
import { authorNames, undoIcon } from '../shown/changeWords';
import { Coalesced } from '../../base/coalesce';
import { changesAt, jupyter, notebookUnderReview } from './notebookUnderReview';
import { cellStatus } from '../../ui/labels';

/**
 * Review in notebook editors: each changed cell shows the author, Keep, and Undo below it. Its toolbar also has Keep
 * and Undo, so that rendered text has them, too. New lines are colored.
 */
export class ReviewNotebooks extends Disposable implements vscode.NotebookCellStatusBarItemProvider {
  private readonly log: ReviewLog;
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChangeCellStatusBarItems = this.changed.event;
  private readonly added = this.register(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    }),
  );
  private cells: readonly string[] = [];

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    const soon = this.register(new Coalesced(() => this.draw()));
    const request = () => {
      if (vscode.workspace.notebookDocuments.length > 0 || this.cells.length > 0) soon.request();
    };
    this.register(vscode.notebooks.registerNotebookCellStatusBarItemProvider(jupyter, this));
    this.register(log.onDidChange(request));
    this.register(vscode.workspace.onDidChangeNotebookDocument(request));
    this.register(vscode.workspace.onDidOpenNotebookDocument(request));
    this.register(vscode.workspace.onDidCloseNotebookDocument(request));
    this.register(vscode.window.onDidChangeVisibleTextEditors(request));
    request();
  }

  provideCellStatusBarItems(cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
    const found = notebookUnderReview(this.log, cell.notebook);
    const changes = found ? changesAt(found, cell.index) : [];
    if (changes.length === 0) return [];
    const hunks = changes.flatMap((change) => change.hunks);
    const by = authorNames(mergeAuthors(hunks.map(({ authors }) => authors)));
    const target = [cell.notebook.uri.toString(), hunks.map(({ id }) => id)];
    const button = (icon: string, text: string, tooltip: string, id: string) =>
      cellStatus({ icon, text, tooltip }, { id, args: target });
    const about = cellStatus({ text: statusText(changes, by) });
    about.priority = 1;
    return [
      about,
      button('check', l10n.t('Keep'), l10n.t('Keep this change by {0}', by), 'parley.review.keepChange'),
      button(undoIcon, l10n.t('Undo'), l10n.t('Undo this change by {0}', by), 'parley.review.undoChange'),
    ];
  }

  private draw(): void {
    this.changed.fire();
    const cells: string[] = [];
    for (const notebook of vscode.workspace.notebookDocuments) {
      const found = notebookUnderReview(this.log, notebook);
      for (const cell of notebook.getCells()) {
        const changes = found ? changesAt(found, cell.index) : [];
        if (changes.length > 0) cells.push(cell.document.uri.toString());
        this.color(cell.document, changes);
      }
    }
    if (cells.join() === this.cells.join()) return;
    this.cells = cells;
    void vscode.commands.executeCommand('setContext', 'parley.changedCells', cells);
  }

  private color(document: vscode.TextDocument, changes: readonly CellChange[]): void {
    const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
    if (editors.length === 0) return;
    const own = changes.find(({ kind }) => kind !== 'removed');
    const lines = (text: string) => (text === '' ? [] : text.split(/\r?\n/));
    const pieces = own ? diffLines(lines(own.base?.source ?? ''), lines(document.getText())) : [];
    const ranges = pieces
      .filter(({ newStart, newEnd }) => newEnd > newStart)
      .map(({ newStart, newEnd }) => new vscode.Range(newStart, 0, newEnd - 1, 0));
    for (const editor of editors) editor.setDecorations(this.added, ranges);
  }
}

function statusText(changes: readonly CellChange[], by: string): string {
  const gone = changes.filter(({ kind }) => kind === 'removed').length;
  const own = changes.find(({ kind }) => kind !== 'removed')?.kind;
  const removed =
    gone === 1 ? l10n.t('Adjacent cell removed by {0}', by) : l10n.t('{0} adjacent cells removed by {1}', gone, by);
  const present = own === 'added' ? l10n.t('Added by {0}', by) : l10n.t('Changed by {0}', by);
  return [own && present, gone > 0 && removed].filter(Boolean).join(', ');
}
