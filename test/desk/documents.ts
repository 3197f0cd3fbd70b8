// The editor's documents, text editors, and tabs, in one group of tabs.
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { FakeDocument, FakeDocuments } from '../unit-support/fakeDocuments';
import {
  Disposable,
  editor,
  type Position,
  Range,
  Selection,
  TabInputText,
  TabInputTextDiff,
  type TabInputWebview,
  TextEdit,
  Uri,
  WorkspaceEdit,
  workspace,
} from '../unit-support/vscode';

interface Provider {
  readonly onDidChange?: (listener: (uri: Uri) => unknown) => unknown;
  provideTextDocumentContent(uri: Uri, token: unknown): string | Promise<string | undefined> | undefined;
}

interface ShowOptions {
  readonly selection?: Range;
  readonly preview?: boolean;
  readonly preserveFocus?: boolean;
}

export interface Tab {
  readonly label: string;
  readonly input: TabInputText | TabInputTextDiff | TabInputWebview;
  readonly isActive: boolean;
  readonly isDirty: boolean;
  readonly isPinned: boolean;
  readonly isPreview: boolean;
  readonly group: unknown;
}

/** What a tab shows, and what happens when it is in front, no longer in front, or closed. */
interface Content {
  readonly input: Tab['input'];
  readonly label: () => string;
  readonly editor?: DeskTextEditor;
  readonly shown?: (isInFront: boolean) => void;
  readonly closed?: () => void;
}

/** A text editor. */
export class DeskTextEditor {
  readonly document: FakeDocument;
  readonly viewColumn = 1;
  options = {};
  private selected: readonly Selection[] = [new Selection(0, 0, 0, 0)];
  private readonly applies: (edits: readonly TextEdit[]) => Promise<boolean>;

  constructor(document: FakeDocument, applies: (edits: readonly TextEdit[]) => Promise<boolean>) {
    this.document = document;
    this.applies = applies;
  }

  get visibleRanges(): readonly Range[] {
    return [new Range(0, 0, Math.max(0, this.document.lineCount - 1), 0)];
  }

  get selections(): readonly Selection[] {
    return this.selected;
  }

  set selections(selections: readonly Selection[]) {
    this.selected = selections;
    editor.fire('window.onDidChangeTextEditorSelection', { textEditor: this, selections, kind: undefined });
  }

  get selection(): Selection {
    return this.selected[0] ?? new Selection(0, 0, 0, 0);
  }

  set selection(selection: Selection) {
    this.selections = [selection];
  }

  edit(change: (builder: unknown) => void): Promise<boolean> {
    const edits: TextEdit[] = [];
    change({
      replace: (at: Range | Position, text: string) =>
        edits.push(new TextEdit(at instanceof Range ? at : new Range(at, at), text)),
      insert: (at: Position, text: string) => edits.push(new TextEdit(new Range(at, at), text)),
      delete: (at: Range) => edits.push(new TextEdit(at, '')),
    });
    return this.applies(edits);
  }

  setDecorations(): void {
    // Nothing is drawn here.
  }

  revealRange(): void {
    // Everything is in sight.
  }
}

/** The documents and tabs of a window. */
export class DeskDocuments {
  private readonly files = new FakeDocuments();
  private readonly fileApi = workspace as unknown as { applyEdit(edit: WorkspaceEdit): Promise<boolean> };
  private readonly providers = new Map<string, Provider>();
  private contents: readonly Content[] = [];
  private front: Content | undefined;
  private untitled = 0;

  readonly workspaceApi: object = {
    textDocuments: this.files.all,
    openTextDocument: (what?: Uri | string | { content?: string }) => this.open(what),
    applyEdit: this.fileApi.applyEdit.bind(this.fileApi),
    registerTextDocumentContentProvider: (scheme: string, provider: Provider) => this.provide(scheme, provider),
  };

  readonly windowApi: PropertyDescriptorMap = {
    showTextDocument: { value: (what: FakeDocument | Uri, options?: unknown) => this.show(what, options) },
    activeTextEditor: { get: () => this.front?.editor },
    visibleTextEditors: { get: () => (this.front?.editor ? [this.front.editor] : []) },
    tabGroups: { get: () => this.tabGroups },
  };

  /** The editor's own commands for them. */
  readonly commands: Readonly<Record<string, (...args: never[]) => unknown>> = {
    'vscode.open': (uri: Uri, options?: unknown) => this.show(uri, options),
    'vscode.diff': (original: Uri, modified: Uri, title?: string) => this.showDiff(original, modified, title),
    'workbench.action.closeActiveEditor': () => this.close(this.front ? [this.front] : []),
    'workbench.action.closeAllEditors': () => this.close(this.contents),
    'workbench.action.revertAndCloseActiveEditor': () => {
      this.front?.editor?.document.revert();
      this.close(this.front ? [this.front] : []);
    },
    'workbench.action.files.revert': () => this.front?.editor?.document.isDirty && this.front.editor.document.revert(),
  };

  /** Lets the documents of a file have its text, unless they have unsaved text. */
  follow(path: string): void {
    for (const document of this.files.all) {
      if (document.uri.scheme === 'file' && document.uri.fsPath === path) document.follow();
    }
  }

  /** The text of the editor in front. */
  get text(): string {
    return this.front?.editor?.document.getText() ?? '';
  }

  /** Shows a page in a tab. */
  addPage(content: Omit<Content, 'editor'>): { reveal(): void; close(): void; isInFront(): boolean } {
    const added: Content = content;
    this.contents = [...this.contents, added];
    this.toFront(added);
    return {
      reveal: () => this.toFront(added),
      close: () => this.close([added]),
      isInFront: () => this.front === added,
    };
  }

  private get tabGroups() {
    const group = { isActive: true, viewColumn: 1, tabs: [] as Tab[], activeTab: undefined as Tab | undefined };
    for (const content of this.contents) {
      const tab: Tab = {
        label: content.label(),
        input: content.input,
        isActive: content === this.front,
        isDirty: content.editor?.document.isDirty === true,
        isPinned: false,
        isPreview: false,
        group,
      };
      group.tabs.push(tab);
      if (tab.isActive) group.activeTab = tab;
    }
    return {
      all: [group],
      activeTabGroup: group,
      onDidChangeTabs: (listener: (event: unknown) => unknown) => editor.subscribe('tabs.change', listener),
      onDidChangeTabGroups: (listener: (event: unknown) => unknown) => editor.subscribe('tabGroups.change', listener),
      close: (tabs: Tab | readonly Tab[]) => {
        const inputs = [tabs].flat().map(({ input }) => input);
        this.close(this.contents.filter(({ input }) => inputs.includes(input)));
        return Promise.resolve(true);
      },
    };
  }

  private provide(scheme: string, provider: Provider): Disposable {
    this.providers.set(scheme, provider);
    provider.onDidChange?.((uri) => {
      const open = this.find(uri);
      if (open)
        void this.provided(provider, uri).then((text) => text !== open.getText() && open.change(text, undefined));
    });
    return new Disposable(() => this.providers.delete(scheme));
  }

  private async provided(provider: Provider, uri: Uri): Promise<string> {
    return (await provider.provideTextDocumentContent(uri, undefined)) ?? '';
  }

  private find(uri: Uri): FakeDocument | undefined {
    return this.files.all.find((one) => !one.isClosed && one.uri.toString() === uri.toString());
  }

  private async open(what?: Uri | string | { content?: string }): Promise<FakeDocument> {
    const uri =
      typeof what === 'string'
        ? Uri.file(what)
        : what instanceof Uri
          ? what
          : Uri.from({ scheme: 'untitled', path: `Untitled-${++this.untitled}` });
    const known = this.find(uri);
    if (known) return known;
    const document =
      what instanceof Uri || typeof what === 'string' ? await this.read(uri) : filled(uri, what?.content);
    const raced = this.find(uri);
    if (raced) return raced;
    this.files.all.push(document);
    editor.fire('workspace.onDidOpenTextDocument', document);
    return document;
  }

  private async read(uri: Uri): Promise<FakeDocument> {
    const provider = this.providers.get(uri.scheme);
    if (provider) return filled(uri, await this.provided(provider, uri));
    if (uri.scheme !== 'file' || !existsSync(uri.fsPath)) throw new Error(`cannot open ${uri.toString()}`);
    if (isBinary(uri.fsPath)) throw new Error('File seems to be binary and cannot be opened as text');
    return new FakeDocument(uri);
  }

  private async show(what: FakeDocument | Uri, options?: unknown): Promise<DeskTextEditor> {
    const document = what instanceof FakeDocument ? what : await this.open(what);
    const known = this.contents.find(
      ({ input }) => input instanceof TabInputText && input.uri.toString() === document.uri.toString(),
    );
    const shown = known?.editor ?? this.editorOf(document);
    const { selection, preserveFocus } = (typeof options === 'object' ? (options ?? {}) : {}) as ShowOptions;
    if (selection)
      shown.selection = new Selection(
        selection.start.line,
        selection.start.character,
        selection.end.line,
        selection.end.character,
      );
    const content = known ?? {
      input: new TabInputText(document.uri),
      label: () => basename(document.uri.path),
      editor: shown,
    };
    if (!known) this.contents = [...this.contents, content];
    if (preserveFocus !== true || !known) this.toFront(content);
    return shown;
  }

  private async showDiff(original: Uri, modified: Uri, title?: string): Promise<void> {
    await this.open(original);
    const content = {
      input: new TabInputTextDiff(original, modified),
      label: () => title ?? basename(modified.path),
      editor: this.editorOf(await this.open(modified)),
    };
    this.contents = [...this.contents, content];
    this.toFront(content);
  }

  private editorOf(document: FakeDocument): DeskTextEditor {
    return new DeskTextEditor(document, (edits) => {
      const edit = new WorkspaceEdit();
      edit.set(document.uri, edits);
      return this.fileApi.applyEdit(edit);
    });
  }

  private toFront(content: Content | undefined): void {
    const before = this.front;
    if (before === content) return;
    this.front = content;
    before?.shown?.(false);
    content?.shown?.(true);
    editor.fire('window.onDidChangeVisibleTextEditors', content?.editor ? [content.editor] : []);
    editor.fire('window.onDidChangeActiveTextEditor', content?.editor);
    this.tabsChanged();
  }

  private close(some: readonly Content[]): void {
    if (some.length === 0) return;
    this.contents = this.contents.filter((one) => !some.includes(one));
    if (this.front && some.includes(this.front)) this.toFront(this.contents.at(-1));
    for (const { closed, input } of some) {
      closed?.();
      const uris =
        input instanceof TabInputText
          ? [input.uri]
          : input instanceof TabInputTextDiff
            ? [input.original, input.modified]
            : [];
      for (const uri of uris) this.release(uri);
    }
    this.tabsChanged();
  }

  /** Closes a document that no tab shows any more. */
  private release(uri: Uri): void {
    const key = uri.toString();
    const isShown = this.contents.some(
      ({ input }) =>
        (input instanceof TabInputText && input.uri.toString() === key) ||
        (input instanceof TabInputTextDiff && [input.original, input.modified].some((one) => one.toString() === key)),
    );
    const document = this.find(uri);
    if (isShown || !document || document.isDirty) return;
    this.files.all.splice(this.files.all.indexOf(document), 1);
    document.close();
  }

  private tabsChanged(): void {
    editor.fire('tabs.change', { opened: [], closed: [], changed: [] });
    editor.fire('tabGroups.change', { opened: [], closed: [], changed: [] });
  }
}

function filled(uri: Uri, text = ''): FakeDocument {
  const document = new FakeDocument(uri);
  document.text = text.replaceAll('\r\n', '\n');
  return document;
}

/** Whether the editor takes a file for binary: it has a zero byte among its first ones. */
function isBinary(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(512);
    return start.subarray(0, readSync(file, start)).includes(0);
  } finally {
    closeSync(file);
  }
}
