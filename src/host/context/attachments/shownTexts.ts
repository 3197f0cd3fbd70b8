import * as vscode from 'vscode';
import { Disposable } from '../../../shared/values/disposable';
import { targetColumn } from '../../ui/targetColumn';
import { savedName } from './savedFile';

const scheme = 'parley-text';

/** Shows embedded texts from agents in read-only editors. Stores each text while its editor is open. */
export class ShownTexts extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private count = 0;

  constructor() {
    super();
    this.register(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())));
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.texts.get(uri.toString());
  }

  /** Shows a text under the name in its URI. */
  async open(address: string, text: string): Promise<void> {
    const name = savedName({ type: 'resource_blob', uri: address, blob: '' });
    const uri = vscode.Uri.from({ scheme, path: `/${++this.count}/${name}` });
    this.texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: targetColumn() });
  }
}
