import * as vscode from 'vscode';

/** The document of a file that is open in this window. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key && !document.isClosed);
}

/** The notebook in which the editor holds a file. */
export function openNotebook(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.notebookDocuments.find((notebook) => !notebook.isClosed && notebook.uri.toString() === key);
}
