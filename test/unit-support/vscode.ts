// The `vscode` module for extension host code in plain Node. The parts that safety checks depend on are realistic enough to test them;
// everything else can be called and does nothing. The test controls it through `editor`.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, posix, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

type Listener = (event: unknown) => unknown;

/** The test's settings for the editor, and the calls that the editor received. */
export class FakeEditor {
  isTrusted = true;
  isDesktop = true;
  folders: string[] = [];
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
  private readonly listeners = new Map<string, Set<Listener>>();

  reset(): void {
    this.isTrusted = true;
    this.isDesktop = true;
    this.folders = [];
    this.settings = {};
    for (const list of [this.answers, this.shown, this.opened, this.executed, this.logged, this.made]) list.length = 0;
    this.commands.clear();
    this.providers.clear();
    this.listeners.clear();
  }

  fire(name: string, event?: unknown): void {
    for (const listener of [...(this.listeners.get(name) ?? [])]) listener(event);
  }

  subscribe(name: string, listener: Listener): Disposable {
    const all = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, all.add(listener));
    return new Disposable(() => all.delete(listener));
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

export class FileSystemError extends Error {
  readonly code: string = 'Unknown';
}

export class Disposable {
  private readonly end: () => unknown;
  constructor(end: () => unknown) {
    this.end = end;
  }
  dispose(): void {
    this.end();
  }
}

export class EventEmitter {
  private readonly listeners = new Set<Listener>();
  readonly event = (listener: Listener) => {
    this.listeners.add(listener);
    return new Disposable(() => this.listeners.delete(listener));
  };
  fire(event: unknown): void {
    for (const listener of [...this.listeners]) listener(event);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class CancellationTokenSource {
  private readonly cancelled = new EventEmitter();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.cancelled.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.cancelled.fire(undefined);
  }
  dispose(): void {
    this.cancelled.dispose();
  }
}

interface UriParts {
  readonly scheme: string;
  readonly authority?: string;
  readonly path?: string;
  readonly query?: string;
  readonly fragment?: string;
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;

  private constructor({ scheme, authority = '', path = '', query = '', fragment = '' }: UriParts) {
    Object.assign(this, { scheme, authority, path, query, fragment });
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
    this.query = query;
    this.fragment = fragment;
  }

  static file(path: string): Uri {
    // On Windows, this path has no drive, and neither has VS Code's URI.
    if (sep === '\\' && path.startsWith('/')) return new Uri({ scheme: 'file', path: posix.normalize(path) });
    return new Uri({ scheme: 'file', path: decodeURIComponent(pathToFileURL(path).pathname) });
  }

  static parse(text: string, strict = false): Uri {
    const found = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text) ?? [];
    const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = found;
    if (strict && scheme === '') throw new Error('[UriError]: Scheme is missing');
    const parts = { scheme: scheme || 'file', authority, path: decodeURIComponent(path) };
    return new Uri({ ...parts, query: decodeURIComponent(query), fragment });
  }

  static from(parts: UriParts): Uri {
    return new Uri(parts);
  }

  static joinPath(uri: Uri, ...names: string[]): Uri {
    return uri.with({ path: join(uri.path, ...names) });
  }

  get fsPath(): string {
    if (this.scheme !== 'file') return this.path;
    const hasDrive = /^\/[a-z]:/i.test(this.path);
    return sep === '\\' && !hasDrive ? this.path.replaceAll('/', sep) : fileURLToPath(`file://${encodeURI(this.path)}`);
  }

  with(parts: Partial<UriParts>): Uri {
    const { scheme, authority, path, query, fragment } = this;
    return new Uri({ scheme, authority, path, query, fragment, ...parts });
  }

  toString(): string {
    const start = `${this.scheme}:${this.authority !== '' || this.scheme === 'file' ? `//${this.authority}` : ''}`;
    const path = this.path.split('/').map(encodeURIComponent).join('/');
    return `${start}${path}${this.query === '' ? '' : `?${encodeURIComponent(this.query)}`}`;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...at: readonly [Position, Position] | readonly [number, number, number, number]) {
    const [a, b, c, d] = at;
    this.start = typeof a === 'number' ? new Position(a, b as number) : a;
    this.end = typeof a === 'number' ? new Position(c ?? 0, d ?? 0) : (b as Position);
  }
  get isEmpty(): boolean {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }
}
export class Selection extends Range {
  get active(): Position {
    return this.end;
  }
  get anchor(): Position {
    return this.start;
  }
}

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}
export class ThemeColor extends ThemeIcon {}

export class MarkdownString {
  value: string;
  supportThemeIcons: boolean;
  isTrusted: unknown;
  constructor(value = '', supportThemeIcons = false) {
    this.value = value;
    this.supportThemeIcons = supportThemeIcons;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

export class CodeLens {
  readonly range: Range;
  readonly command: unknown;
  constructor(range: Range, command: unknown) {
    this.range = range;
    this.command = command;
  }
}

export class NotebookCellStatusBarItem {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value that is created and passed on, but never inspected. */
class Opaque {
  readonly parts: readonly unknown[];
  constructor(...parts: readonly unknown[]) {
    this.parts = parts;
  }
}
export class Location {
  readonly uri: Uri;
  readonly range: Range;
  constructor(uri: Uri, range: Range) {
    this.uri = uri;
    this.range = range;
  }
}

export class SourceBreakpoint {
  readonly location: unknown;
  readonly enabled: boolean;
  readonly condition: string | undefined;
  constructor(location: unknown, enabled = true, condition?: string) {
    this.location = location;
    this.enabled = enabled;
    this.condition = condition;
  }
}

export class LanguageModelTextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

/** A command line, or a command with its arguments. */
export class ShellExecution {
  readonly commandLine: string | undefined;
  readonly command: string | undefined;
  readonly args: readonly string[] | undefined;
  readonly options: object | undefined;

  constructor(first: string, second?: readonly string[] | object, options?: object) {
    const args = Array.isArray(second) ? (second as readonly string[]) : undefined;
    this.commandLine = args ? undefined : first;
    this.command = args ? first : undefined;
    this.args = args;
    this.options = args ? options : second;
  }
}

export class ProcessExecution {
  readonly process: string;
  readonly args: readonly string[];

  constructor(process: string, args: readonly string[] = []) {
    this.process = process;
    this.args = args;
  }
}

export class Hover extends Opaque {}
export class TabInputText {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}
export class TabInputTextDiff {
  readonly original: Uri;
  readonly modified: Uri;
  constructor(original: Uri, modified: Uri) {
    this.original = original;
    this.modified = modified;
  }
}
export class TabInputNotebook extends Opaque {}
export class TabInputWebview {
  readonly viewType: string;
  constructor(viewType: string) {
    this.viewType = viewType;
  }
}
export class CodeAction extends Opaque {}

/** What an edit of the workspace does, in order, for a test that carries it out. */
export class WorkspaceEdit {
  readonly steps: { readonly what: 'set' | 'delete' | 'rename'; readonly uri: Uri; readonly to?: unknown }[] = [];
  set(uri: Uri, edits: unknown): void {
    this.steps.push({ what: 'set', uri, to: edits });
  }
  deleteFile(uri: Uri): void {
    this.steps.push({ what: 'delete', uri });
  }
  renameFile(uri: Uri, to: Uri): void {
    this.steps.push({ what: 'rename', uri, to });
  }
}
export class TextEdit {
  readonly range: Range;
  readonly newText: string;
  constructor(range: Range, newText: string) {
    this.range = range;
    this.newText = newText;
  }
  static replace(range: Range, newText: string): TextEdit {
    return new TextEdit(range, newText);
  }
}
export class NotebookEdit extends Opaque {}
export class NotebookRange extends Opaque {}
export class NotebookCellData extends Opaque {}
export class RelativePattern extends Opaque {}

export const SymbolKind = { 11: 'Function' };
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const ViewColumn = { Active: -1, Beside: -2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const QuickInputButtons = { Back: { iconPath: 'back' } };
export const CodeActionKind = { QuickFix: { value: 'quickfix' } };
export const ProgressLocation = { Notification: 15 };
export const NotebookCellStatusBarAlignment = { Left: 1, Right: 2 };
export const NotebookCellKind = { Markup: 1, Code: 2 };
export const DecorationRangeBehavior = { ClosedClosed: 1 };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const version = '1.106.0';
export const OverviewRulerLane = { Right: 4 };
export const EndOfLine = { LF: 1, CRLF: 2 };
export const NotebookEditorRevealType = { InCenterIfOutsideViewport: 2 };
export const StatusBarAlignment = { Left: 1, Right: 2 };

export const l10n = { bundle: undefined };
export const languages = part('languages', {
  getDiagnostics: (): unknown[] => [],
});
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const scm = part('scm', {});
export const comments = part('comments', {});
export const CommentMode = { Editing: 0, Preview: 1 };
export const CommentThreadCollapsibleState = { Collapsed: 0, Expanded: 1 };
export const notebooks = part('notebooks', {});
/** Tests set the members that they need. */
export const tasks = part('tasks', {});
export const debug = part('debug', { breakpoints: [], activeStackItem: undefined });
export const lm = part('lm', { tools: [] });
export const extensions = part('extensions', { getExtension: () => undefined });

export const UIKind = { Desktop: 1, Web: 2 };

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
  withProgress: (_options: unknown, task: (...args: unknown[]) => unknown) =>
    task({ report: () => undefined }, nothing()),
  registerWebviewViewProvider(id: string, provider: unknown) {
    editor.providers.set(id, provider);
    return new Disposable(() => editor.providers.delete(id));
  },
});

const folderOf = (path: string, index = 0) => ({ uri: Uri.file(path), name: basename(path), index });
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
