// The editor's views and tabs that show pages.
import type { Frame } from 'playwright-core';
import { Disposable, editor, EventEmitter, TabInputWebview } from '../unit-support/vscode';
import { Changes } from './changes';
import type { DeskBrowser } from './deskBrowser';
import { DeskWebview } from './deskWebview';
import type { DeskDocuments } from './documents';

interface ViewProvider {
  resolveWebviewView(view: unknown): unknown;
}

interface Serializer {
  deserializeWebviewPanel(panel: unknown, state: unknown): Promise<void>;
}

interface PanelOptions {
  readonly retainContextWhenHidden?: boolean;
}

/** A page in a tab of the editor. */
class Panel {
  readonly webview: DeskWebview;
  readonly viewType: string;
  readonly viewColumn = 1;
  iconPath: unknown;
  title: string;
  visible = true;
  private readonly disposed = new EventEmitter();
  private readonly changed = new EventEmitter();
  readonly onDidDispose = this.disposed.event;
  readonly onDidChangeViewState = this.changed.event;
  private readonly tab: ReturnType<DeskDocuments['addPage']>;
  private isOver = false;

  constructor(
    webview: DeskWebview,
    type: string,
    title: string,
    documents: DeskDocuments,
    { retainContextWhenHidden }: PanelOptions,
  ) {
    this.webview = webview;
    this.viewType = type;
    this.title = title;
    this.tab = documents.addPage({
      input: new TabInputWebview(`mainThreadWebview-${type}`),
      label: () => this.title,
      shown: (isInFront) => {
        if (this.visible === isInFront) return;
        this.visible = isInFront;
        if (isInFront && retainContextWhenHidden !== true) webview.reload();
        void webview.setVisible(isInFront);
        this.changed.fire({ webviewPanel: this });
      },
      closed: () => this.dispose(),
    });
  }

  get active(): boolean {
    return this.visible;
  }

  reveal(): void {
    this.tab.reveal();
  }

  dispose(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.tab.close();
    void this.webview.close();
    this.disposed.fire(undefined);
  }
}

/** The views and tabs of a window that show pages. */
export class Webviews {
  private readonly browser: DeskBrowser;
  private readonly documents: DeskDocuments;
  private readonly providers = new Map<string, ViewProvider>();
  private readonly serializers = new Map<string, Serializer>();
  private readonly views = new Map<string, DeskWebview>();
  private readonly panels: Panel[] = [];
  private readonly changes = new Changes();
  private readonly all: DeskWebview[] = [];

  /** The members of `vscode.window` that open them. */
  readonly api = {
    registerWebviewViewProvider: (id: string, provider: ViewProvider) => {
      this.providers.set(id, provider);
      // An opened view has this command of its own.
      editor.commands.set(`${id}.focus`, () => this.openView(id));
      return new Disposable(() => this.providers.delete(id));
    },
    registerWebviewPanelSerializer: (type: string, serializer: Serializer) => {
      this.serializers.set(type, serializer);
      return new Disposable(() => this.serializers.delete(type));
    },
    createWebviewPanel: (type: string, title: string, _column: unknown, options: PanelOptions = {}) =>
      this.openPanel(type, title, options),
  };

  constructor(browser: DeskBrowser, documents: DeskDocuments) {
    this.browser = browser;
    this.documents = documents;
  }

  /** What the content security policies of the pages have stopped. */
  get violations(): readonly string[] {
    return this.all.flatMap((webview) => webview.violations);
  }

  /** The document of a view in the side bar. */
  async view(id: string): Promise<Frame> {
    const webview = await this.changes.until(
      () => this.views.get(id),
      () => `The view ${id} isn’t open.`,
    );
    return webview.frame();
  }

  /** The document of the page in the tab in front. */
  async panel(): Promise<Frame> {
    const panel = await this.changes.until(
      () => this.panels.find(({ visible }) => visible),
      () => 'No page is in front.',
    );
    return panel.webview.frame();
  }

  /** Shows a tab again that was open before the window was reloaded. */
  async restorePanel(type: string, memory: unknown): Promise<void> {
    const panel = this.openPanel(type, '', { retainContextWhenHidden: true }, memory);
    await this.serializers.get(type)?.deserializeWebviewPanel(panel, memory);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.all.map((webview) => webview.close()));
  }

  private openView(id: string): void {
    const provider = this.providers.get(id);
    if (!provider || this.views.has(id)) return;
    const webview = this.create('view');
    this.views.set(id, webview);
    const never = () => new Disposable(() => undefined);
    provider.resolveWebviewView({
      viewType: id,
      webview,
      visible: true,
      show: () => undefined,
      onDidChangeVisibility: never,
      onDidDispose: never,
    });
    this.changes.note();
  }

  private openPanel(type: string, title: string, options: PanelOptions, memory?: unknown): Panel {
    const panel = new Panel(this.create('editor', memory), type, title, this.documents, options);
    this.panels.push(panel);
    panel.onDidDispose(() => this.panels.splice(this.panels.indexOf(panel), 1));
    panel.onDidChangeViewState(() => this.changes.note());
    this.changes.note();
    return panel;
  }

  private create(place: 'view' | 'editor', memory?: unknown): DeskWebview {
    const webview = new DeskWebview(this.browser, place, memory);
    this.all.push(webview);
    return webview;
  }
}
