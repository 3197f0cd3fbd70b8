// What the user has in front of them: dialogs that are answered as the test says, tabs with pages, texts, the clipboard, and settings.
import { FakeDocuments, type FakeDocument } from '../unit-support/fakeDocuments';
import { outside } from './shortTimers';
import { FakePage } from '../unit-support/productWindow';
import {
  comments,
  editor,
  env,
  EventEmitter,
  Selection,
  Position,
  Uri,
  window,
  workspace,
  type Range,
} from '../unit-support/vscode';

/** The user's answer to a dialog: a button, the label of an item, a typed text, a path, or what a function takes of the items. */
export type Answer = string | readonly string[] | ((items: readonly Item[]) => unknown) | undefined;

interface Item {
  readonly label: string;
  readonly kind?: number;
  readonly buttons?: readonly unknown[];
}

type Api = Record<string, unknown>;

/** A tab with a page. */
export class FakePanel {
  readonly webview = new FakePage();
  readonly viewType: string;
  title: string;
  iconPath: unknown;
  visible = true;
  active = true;
  viewColumn = 1;
  reveals = 0;
  isDisposed = false;
  private readonly disposed = new EventEmitter();
  private readonly changed = new EventEmitter();
  readonly onDidDispose = this.disposed.event;
  readonly onDidChangeViewState = this.changed.event;

  constructor(viewType: string, title: string) {
    this.viewType = viewType;
    this.title = title;
  }

  reveal(): void {
    this.reveals += 1;
  }

  /** Closes the tab. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.disposed.fire(undefined);
  }
}

/** An editor with a text. */
export class FakeTextEditor {
  readonly document: FakeDocument;
  readonly options = {};
  readonly viewColumn = 1;
  readonly visibleRanges = [];
  selection: Selection;
  selections: readonly Selection[];

  constructor(document: FakeDocument, selection?: Range) {
    this.document = document;
    const { start = new Position(0, 0), end = new Position(0, 0) } = selection ?? {};
    this.selection = new Selection(start, end);
    this.selections = [this.selection];
  }

  edit(change: (edit: { replace(range: Range, text: string): void }) => void): Promise<boolean> {
    change({ replace: (_range, text) => this.document.type(this.document.text + text) });
    return Promise.resolve(true);
  }

  setDecorations(): void {}
  revealRange(): void {}
}

export class Desk {
  /** The user's next answers. Without one, dialogs are dismissed. */
  readonly answers: Answer[] = [];
  private agrees = false;
  private agreed = 0;
  /** The comments beside lines. */
  readonly threads = new Set<{ readonly uri: Uri; readonly comments: readonly unknown[] }>();
  readonly panels: FakePanel[] = [];
  readonly documents = new FakeDocuments();
  readonly shownDocuments: string[] = [];
  clipboard = '';
  isFocused = true;
  /** Answers that no dialog offered. */
  readonly problems: string[] = [];

  constructor() {
    outside.happens = () => this.followFiles();
    const isFocused = () => this.isFocused;
    Object.assign(window as Api, {
      createWebviewPanel: (type: string, title: string) => {
        const panel = new FakePanel(type, title);
        this.panels.push(panel);
        return panel;
      },
      showInformationMessage: (text: string, ...items: unknown[]) => this.showMessage('information', text, items),
      showWarningMessage: (text: string, ...items: unknown[]) => this.showMessage('warning', text, items),
      showErrorMessage: (text: string, ...items: unknown[]) => this.showMessage('error', text, items),
      showQuickPick: async (items: unknown, options: { canPickMany?: boolean } = {}) => {
        const offered = ((await items) as readonly (Item | string)[]).map(asItem);
        this.note('quickPick', '', offered);
        const picked = this.pick(offered);
        const plain = (one: Item) => ('isText' in one ? one.label : one);
        if (options.canPickMany) return (picked as readonly Item[] | undefined)?.map(plain);
        const [first] = Array.isArray(picked) ? (picked as readonly Item[]) : [picked as Item | undefined];
        return first && plain(first);
      },
      showInputBox: async (options: { prompt?: string; validateInput?: (text: string) => unknown } = {}) => {
        this.note('inputBox', options.prompt ?? '', [options]);
        const typed = this.next('x');
        if (typeof typed !== 'string') return undefined;
        const problem = await options.validateInput?.(typed);
        if (problem) this.problems.push(`“${typed}” can’t be entered: ${JSON.stringify(problem)}`);
        return problem ? undefined : typed;
      },
      createQuickPick: () => new FakePicker(this),
      createInputBox: () => new FakeBox(this),
      showSaveDialog: (options: unknown) => this.askPath('saveDialog', options),
      showOpenDialog: async (options: unknown) => {
        const uri = await this.askPath('openDialog', options);
        return uri && [uri];
      },
      showTextDocument: (what: Uri | FakeDocument, options: { selection?: Range } = {}) => {
        const document = what instanceof Uri ? this.documents.open(what.fsPath) : what;
        return Promise.resolve(this.show(document, options.selection));
      },
      onDidChangeActiveTextEditor: (listener: (event: unknown) => unknown, self?: unknown) =>
        editor.subscribe('window.onDidChangeActiveTextEditor', listener.bind(self)),
      state: {
        get focused() {
          return isFocused();
        },
      },
      activeTextEditor: undefined,
      visibleTextEditors: [],
      activeTerminal: undefined,
      terminals: [],
    });
    const { openTextDocument } = workspace as unknown as { openTextDocument: (uri: Uri) => Promise<FakeDocument> };
    const getConfiguration = (workspace as Api)['getConfiguration'] as (section?: string) => Api;
    Object.assign(workspace as Api, {
      openTextDocument: (what: Uri | string | { content?: string }) => {
        if (what instanceof Uri) return what.scheme === 'file' ? openTextDocument(what) : this.openProvided(what);
        if (typeof what === 'string') return openTextDocument(Uri.file(what));
        const document = this.documents.open(`/untitled-${String(this.documents.all.length)}`);
        document.text = what.content ?? '';
        return Promise.resolve(document);
      },
      onDidChangeConfiguration: (listener: (event: unknown) => unknown, self?: unknown) =>
        editor.subscribe('workspace.onDidChangeConfiguration', listener.bind(self)),
      onDidChangeWorkspaceFolders: (listener: (event: unknown) => unknown, self?: unknown) =>
        editor.subscribe('workspace.onDidChangeWorkspaceFolders', listener.bind(self)),
      getConfiguration: (section = '') => ({
        ...getConfiguration(section),
        update: (key: string, value: unknown) => {
          this.set(section === '' ? key : `${section}.${key}`, value);
          return Promise.resolve();
        },
      }),
    });
    // The product may know the object since it was loaded.
    Object.assign(env.clipboard, {
      readText: () => Promise.resolve(this.clipboard),
      writeText: (text: string) => Promise.resolve(void (this.clipboard = text)),
    });
    Object.assign(env as Api, { uriScheme: 'vscode' });
    Object.assign(comments as Api, { createCommentController: () => this.commentController() });
  }

  /** The editor's texts follow their files, as far as nothing is unsaved. */
  private followFiles(): boolean {
    const versions = () => this.documents.all.map(({ version }) => version).join();
    const before = versions();
    for (const document of this.documents.all)
      if (!document.isClosed && document.uri.scheme === 'file') document.follow();
    return versions() !== before;
  }

  /** From now on, the user presses the first button, takes the first item, and types a word. */
  agreeToEverything(): void {
    this.agrees = true;
    this.agreed = 0;
  }

  /** Changes a setting of the user, who may do so by hand. */
  set(name: string, value: unknown): void {
    if (value === undefined) Reflect.deleteProperty(editor.settings, name);
    else editor.settings[name] = value;
    const affectsConfiguration = (section: string) => name === section || name.startsWith(`${section}.`);
    editor.fire('workspace.onDidChangeConfiguration', { affectsConfiguration });
  }

  /** Shows a text in the active editor. */
  show(document: FakeDocument, selection?: Range): FakeTextEditor {
    const shown = new FakeTextEditor(document, selection);
    this.shownDocuments.push(document.uri.fsPath);
    Object.assign(window as Api, { activeTextEditor: shown, visibleTextEditors: [shown] });
    editor.fire('window.onDidChangeActiveTextEditor', shown);
    return shown;
  }

  /** Opens a text that the product provides. */
  private async openProvided(uri: Uri): Promise<FakeDocument> {
    const made = editor.made.findLast(
      ({ what, args }) => what === 'workspace.registerTextDocumentContentProvider' && args[0] === uri.scheme,
    );
    const provider = made?.args[1] as { provideTextDocumentContent(uri: Uri): string | Promise<string> } | undefined;
    const document = Object.assign(this.documents.open(`/provided${uri.path}`), { uri });
    document.text = (await provider?.provideTextDocumentContent(uri)) ?? '';
    return document;
  }

  private commentController(): object {
    return {
      createCommentThread: (uri: Uri, range: Range, shown: readonly unknown[]) => {
        const thread = { uri, range, comments: shown, dispose: () => void this.threads.delete(thread) };
        this.threads.add(thread);
        return thread;
      },
      dispose: () => undefined,
    };
  }

  /** The open tab with this kind of page. */
  panel(viewType: string): FakePanel | undefined {
    return this.panels.findLast((panel) => panel.viewType === viewType && !panel.isDisposed);
  }

  note(kind: string, message: string, items: readonly unknown[]): void {
    editor.shown.push({ kind, message, items });
    editor.fire('shown');
  }

  /** The user's next answer; `easy` is what they answer if they agree to everything. */
  next(easy: Answer): Answer {
    if (this.answers.length > 0 || !this.agrees) return this.answers.shift();
    // A question that is asked again and again is dismissed in the end.
    return (this.agreed += 1) > 20 ? undefined : easy;
  }

  /** What the next answer takes of these items. */
  pick(items: readonly Item[]): unknown {
    const next = this.next((all) => all.filter(({ kind }) => kind !== -1).slice(0, 1));
    if (typeof next === 'function') return next(items);
    if (next === undefined) return undefined;
    const wanted = typeof next === 'string' ? [next] : next;
    const found = wanted.map((label) => items.find((item) => item.label === label || item.label.startsWith(label)));
    if (found.includes(undefined)) {
      const offered = items.map(({ label }) => label).join(', ');
      this.problems.push(`“${String(next)}” isn’t among ${offered}`);
      return undefined;
    }
    return found;
  }

  private showMessage(kind: string, text: string, items: readonly unknown[]): Promise<unknown> {
    this.note(kind, text, items);
    const buttons = items.filter((item) => typeof item === 'string' || typeof item === 'object');
    const isQuestion = buttons.some((item) => typeof item === 'string');
    // What only tells something has nothing to answer.
    if (!isQuestion) return Promise.resolve(undefined);
    const next = this.next(buttons.find((item) => typeof item === 'string'));
    if (typeof next === 'string' && !items.includes(next)) {
      this.problems.push(`“${next}” isn’t a button of “${text}”: ${items.map(String).join(', ')}`);
      return Promise.resolve(undefined);
    }
    return Promise.resolve(typeof next === 'string' ? next : undefined);
  }

  private askPath(kind: string, options: unknown): Promise<Uri | undefined> {
    this.note(kind, '', [options]);
    const next = this.next(undefined);
    return Promise.resolve(typeof next === 'string' ? Uri.file(next) : undefined);
  }
}

const asItem = (one: Item | string): Item =>
  typeof one === 'string' ? Object.assign({ label: one }, { isText: true }) : one;

/** A list that the product fills. */
class FakePicker {
  title = '';
  placeholder = '';
  canSelectMany = false;
  busy = false;
  value = '';
  buttons: readonly unknown[] = [];
  activeItems: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  private readonly desk: Desk;
  private list: readonly Item[] = [];
  private isShown = false;
  private readonly accepted = new EventEmitter();
  private readonly hidden = new EventEmitter();
  private readonly pressed = new EventEmitter();
  private readonly pressedItem = new EventEmitter();
  private readonly typed = new EventEmitter();
  private readonly selected = new EventEmitter();
  private readonly activated = new EventEmitter();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidTriggerButton = this.pressed.event;
  readonly onDidTriggerItemButton = this.pressedItem.event;
  readonly onDidChangeValue = this.typed.event;
  readonly onDidChangeSelection = this.selected.event;
  readonly onDidChangeActive = this.activated.event;

  constructor(desk: Desk) {
    this.desk = desk;
  }

  get items(): readonly Item[] {
    return this.list;
  }

  set items(items: readonly Item[]) {
    this.list = items;
    if (this.isShown) this.answerSoon();
  }

  show(): void {
    this.isShown = true;
    this.answerSoon();
  }

  hide(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.hidden.fire(undefined);
  }

  dispose(): void {
    this.hide();
  }

  /** Presses a button of an item. */
  press(item: Item, button: unknown): void {
    this.pressedItem.fire({ item, button });
  }

  private answerSoon(): void {
    setTimeout(() => {
      if (!this.isShown || (this.list.length === 0 && this.busy)) return;
      this.desk.note('quickPick', this.title || this.placeholder, this.list);
      const picked = this.desk.pick(this.list);
      if (picked === 'stay') return;
      if (picked === undefined) {
        this.hide();
        return;
      }
      this.selectedItems = (Array.isArray(picked) ? picked : [picked]) as readonly Item[];
      this.activeItems = this.selectedItems;
      this.selected.fire(this.selectedItems);
      this.accepted.fire(undefined);
    });
  }
}

/** A field that the product fills. */
class FakeBox {
  title = '';
  prompt = '';
  placeholder = '';
  value = '';
  password = false;
  validationMessage: unknown;
  buttons: readonly unknown[] = [];
  private readonly desk: Desk;
  private isShown = false;
  private readonly accepted = new EventEmitter();
  private readonly hidden = new EventEmitter();
  private readonly typed = new EventEmitter();
  private readonly pressed = new EventEmitter();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidChangeValue = this.typed.event;
  readonly onDidTriggerButton = this.pressed.event;

  constructor(desk: Desk) {
    this.desk = desk;
  }

  show(): void {
    this.isShown = true;
    setTimeout(() => {
      this.desk.note('inputBox', this.prompt || this.title, [this]);
      const typed = this.desk.next('x');
      if (typeof typed !== 'string') {
        this.hide();
        return;
      }
      this.value = typed;
      this.typed.fire(typed);
      this.accepted.fire(undefined);
    });
  }

  hide(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.hidden.fire(undefined);
  }

  dispose(): void {
    this.hide();
  }
}
