import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { Disposable, DisposableStore, toDisposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { FromWebview, ToWebview } from '../../shared/pages/messages';
import { takeSnapshot } from '../../shared/transcript/ops';
import { Packer } from '../../shared/pages/pack';
import { Coalesced } from '../base/coalesce';
import type { Intent } from './intent';
import type { PageModel } from './pageModel';
import { OpsPump, type PumpClock } from './opsPump';

/** Number of newest entries in a page's first snapshot. Older ones are fetched when the user scrolls to them. */
const snapshotLimit = 400;

const clock: PumpClock = {
  now: () => performance.now(),
  schedule(action, ms) {
    const timer = setTimeout(action, ms);
    return toDisposable(() => clearTimeout(timer));
  },
};

/**
 * A chat page in the side bar or in an editor tab. Tracks which session it shows and sends it that session's
 * transcript. After every load, the page sends `ready` and receives everything from scratch.
 */
export class ChatPage extends Disposable {
  private readonly webview: vscode.Webview;
  private readonly model: PageModel;
  private readonly host: 'view' | 'editor';
  private readonly received = this.register(new Emitter<Intent>());
  private readonly switched = this.register(new Emitter<void>());
  private readonly shown = this.register(new Emitter<void>());
  private readonly focusMoved = this.register(new Emitter<void>());
  private readonly loaded = this.register(new Emitter<void>());
  private readonly packer = new Packer();
  /** Changes of the page state, which several sources report in one turn of an agent, cost one post. */
  private readonly pageSoon = this.register(new Coalesced(() => this.postPage()));
  private readonly streams = this.register(new DisposableStore());
  private stream: { readonly pump: OpsPump; readonly listener: vscode.Disposable } | undefined;
  private active: SessionKey | '' = '';
  /** The session that the page showed before a reload, until it is restored. */
  private wanted: SessionKey | '' = '';
  /**
   * True if the page continues where the previous window stopped, like the view and restored tabs. A new tab shows the
   * session it was opened with.
   */
  isRestored: boolean;
  /** The page has no record of its session, so it shows the newest restored one. */
  private takesNewest = false;
  /** The previous window's sessions are restored. A session that isn't among them no longer exists. */
  private areBack = false;
  private ready = false;
  private visible = true;
  private hasKeyboard = false;
  private covered = false;
  private afterReady: ToWebview[] = [];

  /**
   * Fires for the user's requests once the page is ready. `ready`, `focusChanged`, `selectSession`, and the fetches
   * are handled here.
   */
  readonly onDidReceive = this.received.event;
  readonly onDidChangeActive = this.switched.event;
  readonly onDidChangeFocus = this.focusMoved.event;
  /** Fires after a snapshot was posted. The page's other data about the session must be posted again, too. */
  readonly onDidShow = this.shown.event;
  /** Fires after the page has loaded, also again. It then has nothing that was posted before. */
  readonly onDidLoad = this.loaded.event;

  constructor(webview: vscode.Webview, host: 'view' | 'editor', model: PageModel) {
    super();
    this.webview = webview;
    this.host = host;
    this.isRestored = host === 'view';
    this.model = model;
    this.register(
      webview.onDidReceiveMessage((message: unknown) => {
        if (isMessage(message)) this.receive(message);
      }),
    );
    this.register(model.onDidChange(() => this.modelChanged()));
  }

  get session(): Session | undefined {
    return this.model.find(this.active);
  }

  /** Returns the session of a message if the page shows it. A page can act on no other session. */
  sessionOf(message: Intent): Session | undefined {
    if (!('session' in message) || message.session !== this.active) return undefined;
    return this.session;
  }

  /** Whether the keyboard focus is in the page. */
  get hasFocus(): boolean {
    return this.hasKeyboard;
  }

  get isVisible(): boolean {
    return this.visible;
  }

  /** Whether the list of sessions is over the session. */
  get isCovered(): boolean {
    return this.covered;
  }

  /** Shows a session that the user wants to see, or the start page if the key is empty. */
  show(session: SessionKey | ''): void {
    this.switchTo(session);
    this.post({ type: 'uncoverSession' });
  }

  /** Has another session from now on, below the list of sessions if that is open. */
  switchTo(session: SessionKey | ''): void {
    this.wanted = '';
    this.takesNewest = false;
    if (this.active === session) return;
    // Otherwise, what has just ended would seem to have ended out of sight.
    this.pageSoon.flush();
    this.active = session;
    this.switched.fire();
    if (!this.ready) return;
    this.postPage();
    this.postSnapshot();
  }

  /**
   * Called once the previous window's sessions are restored. After a crash, the record of the visible session may be
   * missing, or of a session that was closed before.
   */
  sessionsAreBack(): void {
    this.areBack = true;
    const newest = this.model.newest();
    const isWantedGone = this.active === '' && this.wanted !== '' && !this.model.find(this.wanted);
    if ((this.takesNewest || isWantedGone) && newest !== '') this.switchTo(newest);
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    if (!visible) this.setFocus(false);
    this.stream?.pump.setVisible(visible);
  }

  /** Posts a message now, or once the page is ready. */
  post(message: ToWebview): void {
    if (this.ready) void this.send(message);
    else this.afterReady.push(message);
  }

  private setFocus(hasFocus: boolean): void {
    if (this.hasKeyboard === hasFocus) return;
    this.hasKeyboard = hasFocus;
    this.focusMoved.fire();
  }

  private setCovered(isCovered: boolean): void {
    if (this.covered === isCovered) return;
    this.covered = isCovered;
    this.focusMoved.fire();
  }

  private receive(message: FromWebview): void {
    switch (message.type) {
      case 'ready':
        this.becomeReady(message.session);
        return;
      case 'focusChanged':
        this.setFocus(message.hasFocus);
        return;
      case 'selectSession':
        this.show(message.session);
        return;
      case 'watchSessions':
        this.setCovered(message.coversSession === true);
        this.received.fire(message);
        return;
      case 'fetchSnapshot':
        if (message.session === this.active) this.postSnapshot();
        return;
      case 'fetchOlder':
        this.postOlder(message);
        return;
      default:
        this.received.fire(message);
    }
  }

  private becomeReady(kept: SessionKey | '' | undefined): void {
    // A new document reports the focus itself.
    this.setFocus(false);
    this.setCovered(false);
    this.packer.reset();
    const takesNewest = kept === undefined && (this.ready ? this.takesNewest : this.isRestored);
    this.ready = true;
    const shown = kept ?? (takesNewest ? this.model.newest() : '');
    // A reloaded page knows its session. A new page uses the session chosen by the host.
    if (this.active === '' && this.model.find(shown)) {
      this.active = shown;
      this.switched.fire();
    }
    if (this.active !== '' && !this.model.find(this.active)) this.active = '';
    this.wanted = this.active === '' ? shown : '';
    this.takesNewest = this.active === '' && takesNewest;
    this.postPage();
    this.postSnapshot();
    const messages = this.afterReady;
    this.afterReady = [];
    for (const message of messages) void this.send(message);
    this.loaded.fire();
    if (this.areBack) this.sessionsAreBack();
  }

  private modelChanged(): void {
    if (this.active === '' && this.wanted !== '' && this.model.find(this.wanted)) {
      this.switchTo(this.wanted);
      return;
    }
    if (this.active !== '' && !this.model.find(this.active)) {
      this.switchTo(this.model.newest());
      return;
    }
    if (this.ready) this.pageSoon.request();
  }

  private postPage(): void {
    void this.send({ type: 'page', page: this.model.state(this.active, this.host) });
  }

  private postSnapshot(): void {
    this.endStream();
    const session = this.session;
    if (!session) return;
    const snapshot = takeSnapshot(session.transcript, snapshotLimit);
    const key = session.key;
    const pump = new OpsPump(
      snapshot.rev,
      (ops, from, to) => this.send({ type: 'ops', session: key, from, to, ops }),
      clock,
    );
    pump.setVisible(this.visible);
    const listener = session.onDidApply((ops) => pump.push(ops, session.transcript.rev));
    this.stream = { pump, listener: new vscode.Disposable(() => listener.dispose()) };
    this.streams.add(pump);
    this.streams.add(this.stream.listener);
    void this.send({ type: 'snapshot', session: key, snapshot });
    this.shown.fire();
  }

  private postOlder(message: Extract<FromWebview, { type: 'fetchOlder' }>): void {
    const session = this.session;
    if (session?.key !== message.session) return;
    const { order, entries } = session.transcript;
    const end = order.indexOf(message.before);
    if (end < 0) return;
    const start = Math.max(0, end - snapshotLimit);
    const older = order.slice(start, end).flatMap((id) => entries.get(id) ?? []);
    void this.send({ type: 'older', session: session.key, entries: older, omitted: start });
  }

  private endStream(): void {
    if (!this.stream) return;
    this.streams.delete(this.stream.pump);
    this.streams.delete(this.stream.listener);
    this.stream = undefined;
  }

  private async send(message: ToWebview): Promise<boolean> {
    if (this.isDisposed) return false;
    const packed = this.packer.pack(message);
    if (!packed) return true;
    try {
      return await this.webview.postMessage(packed);
    } catch {
      // The webview was disposed while the message was on its way. A new page requests everything.
      return false;
    }
  }
}

/** Messages come from Parley's own script, unless other code runs in the page. */
function isMessage(message: unknown): message is FromWebview {
  return typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string';
}
