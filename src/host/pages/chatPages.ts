import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import { ChatPage } from './chatPage';
import { pageHtml, pageRoots } from './pageHtml';
import type { Intent } from './intent';
import type { PageModel } from './pageModel';
import { tabIcon, tabTitle, type TabState } from './tabLook';
import { chatPanelType as panelType } from '../ui/targetColumn';

const viewType = 'parley.chat';

/** A page and its request. */
export interface PageIntent {
  readonly page: ChatPage;
  readonly message: Intent;
}

/** All chat pages of the window: the view in the side bar and any number of editor tabs. */
export class ChatPages extends Disposable implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer {
  private readonly extensionUri: vscode.Uri;
  private readonly model: PageModel;
  private readonly pages = new Map<ChatPage, { readonly reveal: () => void }>();
  private readonly received = this.register(new Emitter<PageIntent>());
  private readonly changed = this.register(new Emitter<void>());
  private readonly shown = this.register(new Emitter<ChatPage>());
  private readonly loaded = this.register(new Emitter<ChatPage>());
  private lastUsed: ChatPage | undefined;
  /** Actions to run once the opening view is ready. */
  private forView: ((page: ChatPage) => void)[] = [];
  private view: vscode.WebviewView | undefined;
  private viewPage: ChatPage | undefined;
  private badge: vscode.ViewBadge | undefined;
  private tabStates: ReadonlyMap<SessionKey, TabState> = new Map();
  private readonly tabs = this.register(new Emitter<void>());
  private areBack = false;

  readonly onDidReceive = this.received.event;
  /** Fires when a page opens, closes, shows another session, or gets or loses the focus. */
  readonly onDidChange = this.changed.event;
  /** Fires when a page was sent its session's snapshot. See `ChatPage.onDidShow`. */
  readonly onDidShow = this.shown.event;
  /** Fires when a page has loaded. See `ChatPage.onDidLoad`. */
  readonly onDidLoad = this.loaded.event;

  constructor(extensionUri: vscode.Uri, model: PageModel) {
    super();
    this.extensionUri = extensionUri;
    this.model = model;
    // Retained only for speed: a reloaded page shows the same.
    const webviewOptions = { retainContextWhenHidden: true };
    this.register(vscode.window.registerWebviewViewProvider(viewType, this, { webviewOptions }));
    this.register(vscode.window.registerWebviewPanelSerializer(panelType, this));
  }

  /** The session on the page used last. */
  get activeSession(): Session | undefined {
    return this.lastUsed?.session;
  }

  /** Whether the keyboard focus is in a page whose session is in sight. */
  get haveFocus(): boolean {
    return this.all.some((page) => page.hasFocus && !page.isCovered);
  }

  /** Whether the list of sessions is over the session on the page used last. */
  get isActiveCovered(): boolean {
    return this.lastUsed?.isCovered === true;
  }

  /** All pages, in the order they were opened. */
  get all(): readonly ChatPage[] {
    return [...this.pages.keys()];
  }

  /** Pages that are visible now. */
  get visiblePages(): readonly ChatPage[] {
    return [...this.pages.keys()].filter((page) => page.isVisible);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const page = this.attach(view.webview, 'view', () => view.show(false));
    this.viewPage = page;
    this.view = view;
    view.badge = this.badge;
    page.setVisible(view.visible);
    view.onDidChangeVisibility(() => {
      page.setVisible(view.visible);
      this.changed.fire();
    });
    view.onDidDispose(() => {
      if (this.viewPage === page) {
        this.viewPage = undefined;
        this.view = undefined;
      }
      this.detach(page);
    });
    for (const action of this.forView.splice(0)) action(page);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.adopt(panel).isRestored = true;
    return Promise.resolve();
  }

  /** Runs `action` on the page used last. Opens the view in the side bar if there is none. */
  async withPage(action: (page: ChatPage) => void): Promise<void> {
    const page = this.lastUsed;
    if (page) {
      this.pages.get(page)?.reveal();
      action(page);
      return;
    }
    await this.withView(action);
  }

  /**
   * Shows a session and runs `action` on its page: on a page that shows it already, or else on the page used last. Opens
   * the view in the side bar if there is none.
   */
  async withSession(session: SessionKey, action: (page: ChatPage) => void): Promise<void> {
    const shows = (page: ChatPage | undefined) => page?.session?.key === session;
    const page = shows(this.lastUsed)
      ? this.lastUsed
      : (this.visiblePages.find(shows) ?? [...this.pages.keys()].find(shows));
    if (page) this.use(page);
    await this.withPage((shown) => {
      shown.show(session);
      action(shown);
    });
  }

  /** Opens the view in the side bar and runs `action` on its page. */
  async withView(action: (page: ChatPage) => void): Promise<void> {
    if (this.viewPage) {
      this.pages.get(this.viewPage)?.reveal();
      action(this.viewPage);
      return;
    }
    this.forView.push(action);
    await vscode.commands.executeCommand(`${viewType}.focus`);
  }

  /** Opens an editor tab that shows a session, or the start page if the key is empty. */
  openPanel(session: SessionKey | ''): ChatPage {
    const panel = vscode.window.createWebviewPanel(panelType, 'Parley', vscode.ViewColumn.Active, {
      retainContextWhenHidden: true,
    });
    const page = this.adopt(panel);
    page.show(session);
    return page;
  }

  /** See `ChatPage.sessionsAreBack`. */
  sessionsAreBack(): void {
    this.areBack = true;
    for (const page of this.pages.keys()) page.sessionsAreBack();
  }

  /** Sets the states that the editor tabs show. */
  setTabStates(states: ReadonlyMap<SessionKey, TabState>): void {
    this.tabStates = states;
    this.tabs.fire();
  }

  /** Sets the view's badge. It appears once the view was opened. */
  setBadge(badge: vscode.ViewBadge | undefined): void {
    this.badge = badge;
    if (this.view) this.view.badge = badge;
  }

  /** Posts to the page used last. Returns false if there is none. */
  postToLastUsed(message: ToWebview): boolean {
    this.lastUsed?.post(message);
    return this.lastUsed !== undefined;
  }

  /** Posts to every page. */
  broadcast(message: ToWebview): void {
    for (const page of this.pages.keys()) page.post(message);
  }

  private adopt(panel: vscode.WebviewPanel): ChatPage {
    const page = this.attach(panel.webview, 'editor', () => panel.reveal());
    page.setVisible(panel.visible);
    let shown: TabState | undefined;
    const update = () => {
      const { session } = page;
      const state = (session && this.tabStates.get(session.key)) ?? 'idle';
      panel.title = tabTitle(session?.transcript.view.title ?? '', state);
      if (shown !== state) panel.iconPath = tabIcon(this.extensionUri, state);
      shown = state;
    };
    update();
    page.onDidChangeActive(update);
    const updates = [this.register(this.model.onDidChange(update)), this.register(this.tabs.event(update))];
    panel.onDidChangeViewState(() => {
      page.setVisible(panel.visible);
      if (panel.active) this.use(page);
      else this.changed.fire();
    });
    panel.onDidDispose(() => {
      for (const one of updates) one.dispose();
      this.detach(page);
    });
    return page;
  }

  private attach(webview: vscode.Webview, host: 'view' | 'editor', reveal: () => void): ChatPage {
    webview.options = { enableScripts: true, localResourceRoots: pageRoots(this.extensionUri) };
    const page = new ChatPage(webview, host, this.model);
    this.pages.set(page, { reveal });
    this.use(page);
    page.onDidReceive((message) => {
      this.use(page);
      this.received.fire({ page, message });
    });
    page.onDidChangeActive(() => this.changed.fire());
    page.onDidChangeFocus(() => {
      if (page.hasFocus) this.use(page);
      else this.changed.fire();
    });
    page.onDidShow(() => this.shown.fire(page));
    page.onDidLoad(() => this.loaded.fire(page));
    if (host === 'view') page.switchTo(this.model.newest());
    if (this.areBack) page.sessionsAreBack();
    webview.html = pageHtml(webview, this.extensionUri, host);
    return page;
  }

  private detach(page: ChatPage): void {
    page.dispose();
    this.pages.delete(page);
    if (this.lastUsed === page) this.lastUsed = this.viewPage ?? [...this.pages.keys()].at(-1);
    this.changed.fire();
  }

  private use(page: ChatPage): void {
    this.lastUsed = page;
    this.changed.fire();
  }
}
