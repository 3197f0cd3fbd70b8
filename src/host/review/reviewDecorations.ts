import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lineBeside } from '../../review/changePlaces';
import { removedLines, removedText } from '../../review/removedText';
import type { ReviewLog } from '../../review/reviewLog';
import { Disposable } from '../../shared/disposable';
import type { TrackedFile } from '../../review/trackedFile';
import { Coalesced } from '../base/coalesce';
import { isOwnEditor } from './ownEditor';

/** In files with more changes, removed lines have only their lens, because each text needs a style of its own. */
const maxTexts = 300;

const onRemoved = {
  color: new vscode.ThemeColor('editor.foreground'),
  backgroundColor: new vscode.ThemeColor('diffEditor.removedLineBackground'),
  fontStyle: 'italic',
};

/**
 * Colors the lines that agents wrote in the editor's colors for inserted lines, shows the lines they removed beside the
 * text, and marks both in the overview ruler. Leaves diffs and peeks alone, which have these colors themselves.
 */
export class ReviewDecorations extends Disposable {
  private readonly log: ReviewLog;
  private readonly added = this.register(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.modifiedForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Right,
    }),
  );
  private readonly removed = this.register(
    vscode.window.createTextEditorDecorationType({ rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed }),
  );
  /** Marks changes that only remove lines. Others are marked by their new lines. */
  private readonly gone = this.register(
    vscode.window.createTextEditorDecorationType({
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Right,
    }),
  );

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    const all = this.register(new Coalesced(() => this.drawThose()));
    this.register(log.onDidChange((uris) => this.drawThose(new Set(uris))));
    this.register(vscode.window.onDidChangeVisibleTextEditors(() => this.drawThose()));
    // An editor may get its column after it was opened.
    this.register(vscode.window.onDidChangeTextEditorViewColumn(() => all.request()));
    // An editor may follow its file only after the log has. The user's own edits change the log.
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && !document.isDirty) all.request();
      }),
    );
  }

  private drawThose(uris?: ReadonlySet<string>): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (uris === undefined || uris.has(editor.document.uri.toString())) this.draw(editor);
    }
  }

  private draw(editor: vscode.TextEditor): void {
    const file = isOwnEditor(editor) ? this.log.file(editor.document.uri.toString()) : undefined;
    const hunks = file?.hunks ?? [];
    const last = editor.document.lineCount - 1;
    const ranges = hunks
      .filter(({ start, end }) => end > start)
      .map(({ start, end }) => new vscode.Range(Math.min(start, last), 0, Math.min(end - 1, last), 0));
    editor.setDecorations(this.added, ranges);
    const gone = hunks.filter(({ start, end }) => end === start);
    editor.setDecorations(
      this.gone,
      gone.map((hunk) => endOfLine(editor.document, lineBeside(hunk))),
    );
    const isShown = file !== undefined && !file.snapshot.isWhole && hunks.length <= maxTexts;
    editor.setDecorations(this.removed, isShown ? textsOf(file, editor.document) : []);
  }
}

/** The removed lines of each change, at the end of the line beside it. */
function textsOf(file: TrackedFile, document: vscode.TextDocument): vscode.DecorationOptions[] {
  const { text } = file.snapshot;
  return file.hunks.flatMap((hunk) => {
    const range = endOfLine(document, lineBeside(hunk));
    const removed = removedText(removedLines(text, hunk), document.lineAt(range.start.line).text);
    if (!removed) return [];
    const { first, more } = removed;
    const margin = '0 0 0 2em';
    const before = { ...onRemoved, contentText: first, textDecoration: 'line-through', margin };
    const after = { ...onRemoved, contentText: moreText(removed), ...(first === '' && { margin }) };
    const renderOptions = { ...(first !== '' && { before }), ...((more > 0 || first === '') && { after }) };
    return [{ range, renderOptions }];
  });
}

function moreText({ first, more }: { readonly first: string; readonly more: number }): string {
  if (first !== '') return l10n.t(' and {0} more', more);
  return more === 1 ? l10n.t('1 blank line removed') : l10n.t('{0} blank lines removed', more);
}

function endOfLine(document: vscode.TextDocument, line: number): vscode.Range {
  const { end } = document.lineAt(Math.min(line, document.lineCount - 1)).range;
  return new vscode.Range(end, end);
}
