import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lineBeside } from '../../../review/shown/changePlaces';
import { markChange, type MarkedChange, type RemovedText } from '../../../review/shown/removedText';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { Disposable } from '../../../shared/values/disposable';
import type { TrackedFile } from '../../../review/log/trackedFile';
import { Coalesced } from '../../base/coalesce';
import { isOwnEditor } from '../shown/ownEditor';

/** In files with more changes, removed text has only its lens, because each text needs a style of its own. */
const maxTexts = 300;

const onRemoved = {
  color: new vscode.ThemeColor('editor.foreground'),
  backgroundColor: new vscode.ThemeColor('diffEditor.removedLineBackground'),
  fontStyle: 'italic',
  // Only high contrast themes have this color. They have none for the background.
  border: '1px solid',
  borderColor: new vscode.ThemeColor('diffEditor.removedTextBorder'),
};

/** Only high contrast themes have this color. They have none for the background of inserted lines. */
const outline = new vscode.ThemeColor('diffEditor.insertedTextBorder');

/**
 * Colors the lines that agents wrote, and the words that differ in them, in the editor's colors for inserted text; shows
 * the text they removed at the end of the line; and marks both in the overview ruler. Leaves diffs and peeks alone, which
 * have these colors themselves.
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
  /** In high contrast, an outline of the added lines: their sides, and the upper and lower edge. */
  private readonly sides = this.register(edgeType('0 1px'));
  private readonly upperEdge = this.register(edgeType('1px 0 0'));
  private readonly lowerEdge = this.register(edgeType('0 0 1px'));
  private readonly addedWords = this.register(
    vscode.window.createTextEditorDecorationType({
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedTextBackground'),
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
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
    const hunks = file?.markedHunks ?? [];
    const last = editor.document.lineCount - 1;
    const ranges = hunks
      .filter(({ start, end }) => end > start)
      .map(({ start, end }) => new vscode.Range(Math.min(start, last), 0, Math.min(end - 1, last), 0));
    editor.setDecorations(this.added, ranges);
    editor.setDecorations(this.sides, ranges);
    editor.setDecorations(
      this.upperEdge,
      ranges.map(({ start }) => new vscode.Range(start, start)),
    );
    editor.setDecorations(
      this.lowerEdge,
      ranges.map(({ end }) => new vscode.Range(end, end)),
    );
    const gone = hunks.filter(({ start, end }) => end === start);
    editor.setDecorations(
      this.gone,
      gone.map((hunk) => endOfLine(editor.document, lineBeside(hunk))),
    );
    const marks = file ? marksOf(file) : { removed: [], added: [] };
    editor.setDecorations(
      this.removed,
      marks.removed.map((removed) => removedOption(removed, editor.document)),
    );
    editor.setDecorations(
      this.addedWords,
      marks.added.flatMap(({ line, ranges: words }) =>
        words.map(([start, end]) => new vscode.Range(Math.min(line, last), start, Math.min(line, last), end)),
      ),
    );
  }
}

function edgeType(borderWidth: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: outline,
    borderStyle: 'solid',
    borderWidth,
  });
}

function marksOf({ markedHunks: hunks, snapshot }: TrackedFile): MarkedChange {
  const none = { removed: [], added: [] };
  if (snapshot.isWhole || hunks.length > maxTexts) return none;
  const all = hunks.map((hunk) => markChange(snapshot.text, hunk));
  const marks = { removed: all.flatMap(({ removed }) => removed), added: all.flatMap(({ added }) => added) };
  return marks.removed.length > maxTexts ? none : marks;
}

function removedOption({ line, first, more }: RemovedText, document: vscode.TextDocument): vscode.DecorationOptions {
  const margin = '0 0 0 2em';
  const before = { ...onRemoved, contentText: first, textDecoration: 'line-through', margin };
  const after = { ...onRemoved, contentText: moreText(first, more), ...(first === '' && { margin }) };
  const renderOptions = { ...(first !== '' && { before }), ...((more > 0 || first === '') && { after }) };
  return { range: endOfLine(document, line), renderOptions };
}

function moreText(first: string, more: number): string {
  if (first !== '') return l10n.t(' and {0} more', more);
  return more === 1 ? l10n.t('1 blank line removed') : l10n.t('{0} blank lines removed', more);
}

function endOfLine(document: vscode.TextDocument, line: number): vscode.Range {
  const { end } = document.lineAt(Math.min(line, document.lineCount - 1)).range;
  return new vscode.Range(end, end);
}
