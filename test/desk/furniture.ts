import {
  CancellationTokenSource,
  commands,
  editor,
  env,
  extensions,
  Uri,
  window,
  workspace,
} from '../unit-support/vscode';
import { inProduct } from '../root.mjs';
import type { DeskBrowser } from './deskBrowser';
import { Dialogs } from './dialogs';
import { DeskParts } from './deskParts';
import type { DeskDocuments } from './documents';
import { Notifications } from './notifications';
import type { QuickInputs } from './quickInputs';
import { put, putBack } from './put';
import type { DeskSettings } from './settings';
import { Terminals } from './terminals';
import { Webviews } from './webviews';

/** Puts working parts into the fake editor, until it is disposed of: what is opened there stays open until the user answers or closes it. */
export class Furniture {
  readonly notifications = new Notifications();
  readonly dialogs = new Dialogs();
  readonly terminals = new Terminals();
  readonly webviews: Webviews;
  private readonly parts: DeskParts;
  private readonly restore: () => void;
  private clipboard = '';

  constructor(browser: DeskBrowser) {
    const parts = [window, workspace, env, extensions] as object[];
    this.restore = putBack(parts);
    this.parts = new DeskParts();
    this.webviews = new Webviews(browser, this.documents);
    const { inputs, notifications, dialogs, terminals, webviews } = this;
    put(window, { ...notifications.api, ...dialogs.api, ...terminals.api, ...webviews.api });
    put(window, { state: { focused: true, active: true }, withProgress });
    put(window, {
      get activeTerminal() {
        return terminals.active;
      },
    });
    put(workspace, { updateWorkspaceFolders });
    put(workspace, { onDidChangeWorkspaceFolders: on('workspace.onDidChangeWorkspaceFolders') });
    put(env, {
      clipboard: {
        readText: () => Promise.resolve(this.clipboard),
        writeText: (text: string) => Promise.resolve(void (this.clipboard = text)),
      },
      uriScheme: 'vscode',
      appHost: 'desktop',
      remoteName: undefined,
    });
    put(extensions, { all: [], getExtension: (id: string) => (id === self.id ? self : undefined) });
    const own = {
      'workbench.action.closeQuickOpen': () => inputs.close(),
      'notifications.clearAll': () => notifications.clear(),
    };
    for (const [id, execute] of Object.entries(own)) editor.commands.set(id, execute);
    put(commands, { getCommands: () => Promise.resolve([...editor.commands.keys()]) });
  }

  async dispose(): Promise<void> {
    this.notifications.clear();
    this.terminals.dispose();
    await this.webviews.dispose();
    this.parts.dispose();
    this.restore();
  }

  get inputs(): QuickInputs {
    return this.parts.inputs;
  }

  get documents(): DeskDocuments {
    return this.parts.documents;
  }

  get settings(): DeskSettings {
    return this.parts.settings;
  }
}

/** Parley, as the editor lists it. */
const self = {
  id: 'parley.parley-acp',
  extensionPath: inProduct(),
  extensionUri: Uri.file(inProduct()),
  packageJSON: { version: '0.0.0' },
  isActive: true,
  activate: () => Promise.resolve(),
};

function on(name: string) {
  return (listener: (event: unknown) => unknown, self?: unknown) => editor.subscribe(name, listener.bind(self));
}

function withProgress(_options: unknown, task: (...args: unknown[]) => unknown): unknown {
  return task({ report: () => undefined }, new CancellationTokenSource().token);
}

function updateWorkspaceFolders(
  start: number,
  deleteCount: number,
  ...added: readonly { readonly uri: Uri; readonly name?: string }[]
): boolean {
  for (const { uri, name } of added) if (name !== undefined) editor.folderNames.set(uri.fsPath, name);
  const removed = editor.folders.splice(start, deleteCount, ...added.map(({ uri }) => uri.fsPath));
  // The editor tells later.
  setImmediate(() => editor.fire('workspace.onDidChangeWorkspaceFolders', { added, removed }));
  return true;
}
