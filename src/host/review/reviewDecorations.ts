import * as vscode from 'vscode';
import type { ReviewLog } from '../../review/reviewLog';
import { Disposable } from '../../shared/disposable';

/**
 * Colors the lines that agents wrote in the editor's colors for inserted lines, and marks them in the overview ruler.
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

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    this.register(log.onDidChange((uris) => this.drawThose(new Set(uris))));
    this.register(vscode.window.onDidChangeVisibleTextEditors(() => this.drawThose()));
  }

  private drawThose(uris?: ReadonlySet<string>): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (uris === undefined || uris.has(editor.document.uri.toString())) this.draw(editor);
    }
  }

  private draw(editor: vscode.TextEditor): void {
    const hunks = this.log.file(editor.document.uri.toString())?.hunks ?? [];
    const last = editor.document.lineCount - 1;
    const ranges = hunks
      .filter(({ start, end }) => end > start)
      .map(({ start, end }) => new vscode.Range(Math.min(start, last), 0, Math.min(end - 1, last), 0));
    editor.setDecorations(this.added, ranges);
  }
}
