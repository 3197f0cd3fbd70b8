import { editor, window, workspace } from '../unit-support/vscode';
import { DeskDocuments } from './documents';
import { put, putBack } from './put';
import { QuickInputs } from './quickInputs';
import { DeskSettings } from './settings';
import { Watchers } from './watchers';

/** The parts of the furniture that need no page: lists and boxes, documents, settings, and watchers. */
export class DeskParts {
  readonly inputs = new QuickInputs();
  readonly settings = new DeskSettings();
  readonly documents: DeskDocuments;
  readonly watchers: Watchers;
  private readonly back: () => void;

  constructor() {
    this.back = putBack([window, workspace]);
    this.documents = new DeskDocuments();
    this.watchers = new Watchers((path) => this.documents.follow(path));
    const { documents, settings, watchers } = this;
    put(window, { ...this.inputs.api, onDidChangeActiveTextEditor: on('window.onDidChangeActiveTextEditor') });
    put(window, documents.windowApi, true);
    put(workspace, { ...documents.workspaceApi, ...settings.api, ...watchers.api });
    for (const [id, execute] of Object.entries(documents.commands)) {
      editor.commands.set(id, execute as (...args: unknown[]) => unknown);
    }
  }

  dispose(): void {
    this.inputs.close();
    this.watchers.dispose();
    this.back();
  }
}

function on(name: string) {
  return (listener: (event: unknown) => unknown, self?: unknown) => editor.subscribe(name, listener.bind(self));
}
