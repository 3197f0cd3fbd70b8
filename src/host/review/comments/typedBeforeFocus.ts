import * as vscode from 'vscode';
import { TypedAhead } from '../../../review/lines/typedAhead';
import { Disposable } from '../../../shared/values/disposable';
import { applyEdits } from '../../workspaceFiles/workspaceFile';

/** How often the document may change while typed words are taken out of it. */
const maxTries = 5;

/**
 * What the user types into the focused document after a command and before its input has the focus. On a slow or remote
 * host, these can be many words. Create it as the first thing of a command: the editor reports later keystrokes later.
 */
export class TypedBeforeFocus extends Disposable {
  private readonly ahead = new TypedAhead();
  private readonly editor = vscode.window.activeTextEditor;
  private text: string;

  constructor() {
    super();
    const { editor } = this;
    this.text = editor?.document.getText() ?? '';
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (!editor || document !== editor.document) return;
        const changes = contentChanges.map(({ rangeOffset, rangeLength, text }) => {
          return { offset: rangeOffset, length: rangeLength, text };
        });
        this.ahead.record(this.text, changes, selectionsIn(editor, this.text));
        this.text = document.getText();
      }),
    );
  }

  /** Takes what was typed out of the document and returns it. Call it once the input has been shown. */
  async takeBack(): Promise<string> {
    // An answer comes after all keystrokes before the focus moved, because the editor keeps the order.
    await vscode.commands.getCommands(true);
    for (let left = maxTries; left > 0; left--) {
      const { editor, text: current } = this;
      const { edits } = this.ahead;
      if (!editor || edits.length === 0) break;
      const { document } = editor;
      const words = this.ahead.words(current, selectionsIn(editor, current));
      const edit = new vscode.WorkspaceEdit();
      for (const { offset, length, text } of edits) {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        edit.replace(document.uri, range, text);
      }
      // The editor refuses an edit of an older text.
      if (await applyEdits(edit)) return words;
    }
    return '';
  }
}

/**
 * The selections before a change. The editor reports a change before the selections after it, so these count in the older
 * text, which the document doesn't have any more.
 */
function selectionsIn(editor: vscode.TextEditor, before: string): { start: number; end: number }[] {
  const starts = [0];
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) starts.push(at + 1);
  const offsetOf = ({ line, character }: vscode.Position) => (starts[line] ?? before.length) + character;
  return editor.selections.map(({ start, end }) => ({ start: offsetOf(start), end: offsetOf(end) }));
}
