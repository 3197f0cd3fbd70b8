import * as vscode from 'vscode';
import { Disposable } from '../../../shared/values/disposable';

/** A save that takes longer has failed, which no event reports. In milliseconds. */
const patienceMs = 10_000;

/** Tracks running saves of notebooks. Until a save has ended, the content on disk may be the user's own. */
export class NotebookSaves extends Disposable {
  private readonly running = new Map<string, { ended: Promise<void>; end: () => void }>();

  /** `onSaved` is called after each save, before the callers that wait for it continue. */
  constructor(onSaved: (uri: vscode.Uri) => Promise<void>) {
    super();
    this.register(vscode.workspace.onWillSaveNotebookDocument(({ notebook }) => this.begin(notebook.uri.toString())));
    this.register(
      vscode.workspace.onDidSaveNotebookDocument(({ uri }) => {
        const end = () => this.running.get(uri.toString())?.end();
        void onSaved(uri).then(end, end);
      }),
    );
    this.register({ dispose: () => this.running.forEach(({ end }) => end()) });
  }

  /** Resolves once no save of this notebook is running. */
  async settled(uri: string): Promise<void> {
    await this.running.get(uri)?.ended;
  }

  private begin(uri: string): void {
    this.running.get(uri)?.end();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      const guard = setTimeout(() => end(), patienceMs);
      end = () => {
        clearTimeout(guard);
        if (this.running.get(uri)?.ended === ended) this.running.delete(uri);
        resolve();
      };
    });
    this.running.set(uri, { ended, end });
  }
}
