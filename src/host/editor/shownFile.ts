import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';

/** The file that the user looks at, and what is selected there. */
export interface ShownFile {
  readonly uri: vscode.Uri;
  /** Absent in a notebook. */
  readonly editor?: vscode.TextEditor;
}

/**
 * Knows the file in the active editor. While another part of the window has the focus, it is the file that was active
 * last, if the user still sees it.
 */
export class ShownFiles extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  private last: vscode.TextEditor | undefined;
  /** Fires when the file or its selection may have changed. */
  readonly onDidChange = this.changed.event;

  constructor() {
    super();
    const fire = () => this.changed.fire();
    this.note(vscode.window.activeTextEditor);
    this.register(
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        this.note(editor);
        fire();
      }),
    );
    this.register(vscode.window.onDidChangeVisibleTextEditors(fire));
    this.register(vscode.window.onDidChangeActiveNotebookEditor(fire));
    this.register(vscode.window.onDidChangeTextEditorSelection(fire));
    this.register(vscode.workspace.onDidRenameFiles(fire));
  }

  get current(): ShownFile | undefined {
    const editor = vscode.window.activeTextEditor;
    const notebook = vscode.window.activeNotebookEditor?.notebook.uri;
    if (editor?.document.uri.scheme === 'file') return { uri: editor.document.uri, editor };
    const isInNotebook = !editor || editor.document.uri.scheme === 'vscode-notebook-cell';
    if (isInNotebook && notebook?.scheme === 'file') return { uri: notebook };
    // An editor that isn't in a column is an input field or the output panel.
    if (editor?.viewColumn !== undefined) return undefined;
    const { last } = this;
    if (!last || !vscode.window.visibleTextEditors.includes(last)) return undefined;
    return { uri: last.document.uri, editor: last };
  }

  private note(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.uri.scheme === 'file') this.last = editor;
  }
}
