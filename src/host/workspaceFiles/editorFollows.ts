import * as vscode from 'vscode';
import { isSameButLineBreaks } from '../../review/lines';
import { openDocument } from './openDocument';

/** The editor takes up what was written to disk a moment later; so long (ms) is it waited for. */
const patienceMs = 3000;

/**
 * Resolves when the editor shows this text for a file, or the file is not open, or has unsaved changes of its own: true.
 * False when the editor still shows something else after a while. Whoever tells of a change before that would speak of lines
 * that the user does not see yet.
 */
export async function editorFollows(uri: vscode.Uri, text: string): Promise<boolean> {
  const isThere = () => {
    const document = openDocument(uri);
    // The editor has one kind of line break per document.
    return document === undefined || document.isDirty || isSameButLineBreaks(document.getText(), text);
  };
  if (isThere()) return true;
  return new Promise((resolve) => {
    const listeners: vscode.Disposable[] = [];
    const end = (isShown: boolean) => {
      clearTimeout(guard);
      listeners.forEach((listener) => void listener.dispose());
      resolve(isShown);
    };
    const look = (document: vscode.TextDocument) => {
      if (document.uri.toString() === uri.toString() && isThere()) end(true);
    };
    const guard = setTimeout(() => end(isThere()), patienceMs);
    listeners.push(
      vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
      vscode.workspace.onDidCloseTextDocument(look),
    );
  });
}
