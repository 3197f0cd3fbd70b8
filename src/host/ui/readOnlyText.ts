import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore } from '../../shared/values/disposable';

/** Shows a text under a name in a read-only editor. */
export async function openReadOnly(name: string, text: string): Promise<void> {
  // Uses a separate scheme, so that the text exists only for its editor.
  const scheme = `parley-read-${randomUUID().slice(0, 8)}`;
  const title = name
    .replace(/[\\/?#:*"<>|]/g, ' ')
    .trim()
    .slice(0, 80);
  const uri = vscode.Uri.from({ scheme, path: `/${title}.txt` });
  const store = new DisposableStore();
  store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: () => text }));
  store.add(
    vscode.workspace.onDidCloseTextDocument((closed) => {
      if (closed.uri.toString() === uri.toString()) store.dispose();
    }),
  );
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
}
