// The `vscode` module for extension host code in plain Node. The parts that safety checks depend on are realistic enough to test them;
// everything else can be called and does nothing. The test controls it through `editor`.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, relative, sep } from 'node:path';
import { Disposable, EventEmitter } from './editor/events';
import { UIKind } from './editor/numbers';
import { Uri } from './editor/uri';

export * from './editor/events';
export * from './editor/numbers';
export * from './editor/positions';
export * from './editor/uri';
export * from './editor/values';

type Listener = (event: unknown) => unknown;

/** The test's settings for the editor, and the calls that the editor received. */
export class FakeEditor {
  isTrusted = true;
  isDesktop = true;
  folders: string[] = [];
  /** Names of folders by path, of those that aren't named by their own. */
  readonly folderNames = new Map<string, string>();
  /** Values by full name, such as `parley.agents`. */
  settings: Record<string, unknown> = {};
  /** The user's answers to the next questions. If there is none, questions are dismissed. */
  readonly answers: string[] = [];
  readonly shown: { readonly kind: string; readonly message: string; readonly items: readonly unknown[] }[] = [];
  readonly opened: string[] = [];
  readonly executed: { readonly id: string; readonly args: readonly unknown[] }[] = [];
  readonly logged: string[] = [];
  readonly made: { readonly what: string; readonly args: readonly unknown[] }[] = [];
  readonly commands = new Map<string, (...args: unknown[]) => unknown>();
  readonly providers = new Map<string, unknown>();
  private readonly listeners = new Map<string, EventEmitter>();

  reset(): void {
    this.isTrusted = true;
    this.isDesktop = true;
    this.folders = [];
    this.folderNames.clear();
    this.settings = {};
    for (const list of [this.answers, this.shown, this.opened, this.executed, this.logged, this.made]) list.length = 0;
    this.commands.clear();
    this.providers.clear();
    this.listeners.clear();
  }

  fire(name: string, event?: unknown): void {
    this.listeners.get(name)?.fire(event);
  }

  subscribe(name: string, listener: Listener): Disposable {
    const emitter = this.listeners.get(name) ?? new EventEmitter();
    this.listeners.set(name, emitter);
    return emitter.event(listener);
  }

  /** Forgets who listens, as when a window closes. */
  forgetListeners(): void {
    this.listeners.clear();
    this.commands.clear();
    this.providers.clear();
  }

  show(kind: string, message: string, items: readonly unknown[]): Promise<unknown> {
    this.shown.push({ kind, message, items });
    this.fire('shown');
    return Promise.resolve(this.answers.shift());
  }
}

export const editor = new FakeEditor();

/** Returns a value that can be called, constructed, and accessed, and does nothing. */
function nothing(): unknown {
  return new Proxy(function () {}, {
    get: (_target, key) => {
      if (key === 'then' || key === Symbol.iterator) return undefined;
      return key === Symbol.toPrimitive ? () => '' : nothing();
    },
    set: () => true,
    apply: () => nothing(),
    construct: () => nothing() as object,
  });
}

/** Returns a part of the API. The test can fire its events; missing members do nothing and are recorded. */
function part<T extends object>(name: string, own: T): T {
  return new Proxy(own, {
    get: (target, key) => {
      if (Reflect.has(target, key)) return Reflect.get(target, key) as unknown;
      const full = `${name}.${String(key)}`;
      if (/^on(Did|Will)/.test(String(key))) {
        return (listener: Listener, self?: unknown) => editor.subscribe(full, listener.bind(self));
      }
      return (...args: unknown[]) => {
        editor.made.push({ what: full, args });
        return nothing();
      };
    },
  });
}

export const l10n = { bundle: undefined };
export const languages = part('languages', {
  getDiagnostics: (): unknown[] => [],
});
export const scm = part('scm', {});
export const comments = part('comments', {});
export const notebooks = part('notebooks', {});
/** Tests set the members that they need. */
export const tasks = part('tasks', {});
export const debug = part('debug', { breakpoints: [], activeStackItem: undefined });
export const lm = part('lm', { tools: [] });
export const extensions = part('extensions', { getExtension: () => undefined });

export const env = part('env', {
  get uiKind() {
    return editor.isDesktop ? UIKind.Desktop : UIKind.Web;
  },
  language: 'en',
  appName: 'Test',
  appRoot: '/nowhere',
  clipboard: { writeText: () => Promise.resolve() },
  openExternal(target: unknown) {
    editor.opened.push(String(target));
    return Promise.resolve(true);
  },
});

export const commands = part('commands', {
  registerCommand(id: string, action: (...args: unknown[]) => unknown) {
    editor.commands.set(id, action);
    return new Disposable(() => editor.commands.delete(id));
  },
  async executeCommand(id: string, ...args: unknown[]): Promise<unknown> {
    editor.executed.push({ id, args });
    // The editor of the tests has no merge editor unless a test plays one.
    if (id === '_open.mergeEditor' && !editor.commands.has(id)) throw new Error(`command '${id}' not found`);
    return await editor.commands.get(id)?.(...args);
  },
});

export const window = part('window', {
  onDidChangeActiveTextEditor: () => new Disposable(() => undefined),
  visibleTextEditors: [],
  activeTextEditor: undefined,
  activeNotebookEditor: undefined,
  tabGroups: {
    all: [],
    activeTabGroup: { activeTab: undefined },
    onDidChangeTabs: (listener: Listener) => editor.subscribe('tabs.change', listener),
    onDidChangeTabGroups: () => new Disposable(() => undefined),
  },
  createOutputChannel: () => {
    const log = (line: unknown) => void editor.logged.push(String(line));
    return { info: log, warn: log, error: log, debug: log, trace: log, show: log, dispose: () => undefined };
  },
  showInformationMessage: (message: string, ...items: unknown[]) => editor.show('information', message, items),
  showWarningMessage: (message: string, ...items: unknown[]) => editor.show('warning', message, items),
  showErrorMessage: (message: string, ...items: unknown[]) => editor.show('error', message, items),
  showQuickPick: async (items: unknown, ...rest: unknown[]) => editor.show('quickPick', '', [await items, ...rest]),
  showInputBox: (options: { prompt?: string }) => editor.show('inputBox', options.prompt ?? '', [options]),
  setStatusBarMessage: (message: string) => void editor.show('statusBar', message, []),
  withProgress(options: { readonly title?: string }, task: (...args: unknown[]) => unknown) {
    // A test learns of it, and can cancel it.
    editor.fire('progress', options.title);
    const onCancellationRequested = (listener: Listener) => editor.subscribe('progress.cancel', listener);
    return task({ report: () => undefined }, { isCancellationRequested: false, onCancellationRequested });
  },
  registerWebviewViewProvider(id: string, provider: unknown) {
    editor.providers.set(id, provider);
    return new Disposable(() => editor.providers.delete(id));
  },
});

const folderOf = (path: string, index = 0) => ({
  uri: Uri.file(path),
  name: editor.folderNames.get(path) ?? basename(path),
  index,
});
const isInFolder = (folder: string, path: string) => path.startsWith(`${Uri.file(folder).fsPath}${sep}`);

export const workspace = part('workspace', {
  textDocuments: [],
  notebookDocuments: [],
  get isTrusted() {
    return editor.isTrusted;
  },
  get name() {
    return editor.folders[0] === undefined ? undefined : basename(editor.folders[0]);
  },
  workspaceFile: undefined,
  get workspaceFolders() {
    return editor.folders.map(folderOf);
  },
  getWorkspaceFolder(uri: Uri) {
    const found = editor.folders.find(
      (folder) => uri.fsPath === Uri.file(folder).fsPath || isInFolder(folder, uri.fsPath),
    );
    return found === undefined ? undefined : folderOf(found);
  },
  asRelativePath(uri: Uri | string) {
    const path = typeof uri === 'string' ? uri : uri.fsPath;
    const folder = editor.folders.find((one) => isInFolder(one, path));
    return folder === undefined ? path : relative(Uri.file(folder).fsPath, path).replaceAll(sep, '/');
  },
  getConfiguration: (section = '') => ({
    get: (key: string, otherwise?: unknown) => editor.settings[section === '' ? key : `${section}.${key}`] ?? otherwise,
    inspect: (key: string) => {
      const globalValue = editor.settings[section === '' ? key : `${section}.${key}`];
      return { key: `${section}.${key}`, ...(globalValue === undefined ? {} : { globalValue }) };
    },
    update: () => Promise.resolve(),
  }),
  onDidChangeConfiguration: () => new Disposable(() => undefined),
  onDidChangeWorkspaceFolders: () => new Disposable(() => undefined),
  decode: (bytes: Uint8Array) => Promise.resolve(Buffer.from(bytes).toString('utf8')),
  encode: (text: string) => Promise.resolve(new TextEncoder().encode(text)),
  fs: {
    stat: async (uri: Uri) => {
      const found = await stat(uri.fsPath);
      return { type: found.isDirectory() ? 2 : 1, size: found.size, mtime: found.mtimeMs, ctime: found.ctimeMs };
    },
    readFile: (uri: Uri) => readFile(uri.fsPath),
    writeFile: (uri: Uri, bytes: Uint8Array) => writeFile(uri.fsPath, bytes),
    delete: (uri: Uri) => rm(uri.fsPath),
    isWritableFileSystem: () => true,
  },
  createFileSystemWatcher: () => ({
    onDidCreate: (listener: Listener) => editor.subscribe('watcher.create', listener),
    onDidChange: (listener: Listener) => editor.subscribe('watcher.change', listener),
    onDidDelete: (listener: Listener) => editor.subscribe('watcher.delete', listener),
    dispose: () => undefined,
  }),
});
