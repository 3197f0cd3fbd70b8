import * as vscode from 'vscode';
import { isSameButLineBreaks } from '../../review/lines/lines';
import { openDocument } from './openDocument';

/** The editor follows a change on disk with a delay. Maximum time to wait for it, in milliseconds. */
const patienceMs = 3000;

/**
 * Resolves to true once the editor shows this text, or if the file isn't open or has unsaved changes. Resolves to false
 * if the editor still shows another text after a while. Reporting a change earlier would refer to lines that the user
 * doesn't see yet.
 */
export async function editorFollows(uri: vscode.Uri, text: string): Promise<boolean> {
  const isThere = () => {
    const document = openDocument(uri);
    // The editor uses one kind of line break per document.
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
    const look = () => {
      if (isThere()) end(true);
    };
    const guard = setTimeout(() => end(isThere()), patienceMs);
    listeners.push(vscode.workspace.onDidChangeTextDocument(look), vscode.workspace.onDidCloseTextDocument(look));
  });
}
