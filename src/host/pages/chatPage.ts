import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { Disposable, DisposableStore, toDisposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import type { SessionKey } from '../../shared/ids';
import type { FromWebview, ToWebview } from '../../shared/messages';
import { takeSnapshot } from '../../shared/ops';
import { packMessage } from '../../shared/pack';
import type { Intent } from './intent';
import type { PageModel } from './pageModel';
import { OpsPump, type PumpClock } from './opsPump';

/** How many of the newest entries a page starts with; older ones are fetched when it scrolls to them. */
const snapshotLimit = 400;

const clock: PumpClock = {
  now: () => performance.now(),
  schedule(action, ms) {
    const timer = setTimeout(action, ms);
    return toDisposable(() => clearTimeout(timer));
  },
};

/**
 * One chat page, in the side bar or in an editor tab: which session it shows, and the way of that session's transcript
 * to it. Whatever happens to the page (hidden, shown, loaded again), it asks with `ready` and gets everything anew.
 */
export class ChatPage extends Disposable {
  private readonly webview: vscode.Webview;
  private readonly model: PageModel;
  private readonly host: 'view' | 'editor';
  private readonly received = this.register(new Emitter<Intent>());
  private readonly switched = this.register(new Emitter<void>());
  private readonly shown = this.register(new Emitter<void>());
  private readonly streams = this.register(new DisposableStore());
  private stream: { readonly pump: OpsPump; readonly listener: vscode.Disposable } | undefined;
  private active: SessionKey | '' = '';
  /** What the page showed before it was loaded again, while that session is still being brought back. */
  private wanted: SessionKey | '' = '';
  /** Whether the page goes on where the window before was left, as the view and restored tabs do; a new tab shows what it is opened with. */
  isRestored: boolean;
  /** Nothing was kept of what the page showed: it takes what is brought back last. */
  private takesNewest = false;
  private ready = false;
  private visible = true;
  private afterReady: ToWebview[] = [];

  /** What the user wants, once the page is there. `ready`, `selectSession` and the fetches are served here. */
  readonly onDidReceive = this.received.event;
  readonly onDidChangeActive = this.switched.event;
  /** A snapshot was posted: what the page knew of the session beside its transcript must be posted anew, too. */
  readonly onDidShow = this.shown.event;

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

  /** The session that a message is about, as long as the page shows it: a page speaks for no other. */
  sessionOf(message: Intent): Session | undefined {
    if (!('session' in message) || message.session !== this.active) return undefined;
    return this.session;
  }

  get isVisible(): boolean {
    return this.visible;
  }

  /** Shows another session, or the start page for an empty key. */
  show(session: SessionKey | ''): void {
    this.wanted = '';
    this.takesNewest = false;
    if (this.active === session) return;
    this.active = session;
    this.switched.fire();
    if (!this.ready) return;
    this.postPage();
    this.postSnapshot();
  }

  /** The sessions of the window before are back. A window that was not closed in good order may have lost which one was on screen. */
  sessionsAreBack(): void {
    const newest = this.model.newest();
    if (this.takesNewest && newest !== '') this.show(newest);
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    this.stream?.pump.setVisible(visible);
  }

  /** Posts now, or as soon as the page is there. */
  post(message: ToWebview): void {
    if (this.ready) void this.send(message);
    else this.afterReady.push(message);
  }

  private receive(message: FromWebview): void {
    switch (message.type) {
      case 'ready':
        this.becomeReady(message.session);
        return;
      case 'selectSession':
        this.show(message.session);
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
    const takesNewest = kept === undefined && (this.ready ? this.takesNewest : this.isRestored);
    this.ready = true;
    const shown = kept ?? (takesNewest ? this.model.newest() : '');
    // A page that was loaded again knows what it showed; a new page takes what the host chose for it.
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
  }

  private modelChanged(): void {
    if (this.active === '' && this.wanted !== '' && this.model.find(this.wanted)) {
      this.show(this.wanted);
      return;
    }
    if (this.active !== '' && !this.model.find(this.active)) {
      this.show(this.model.newest());
      return;
    }
    if (this.ready) this.postPage();
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
    try {
      return await this.webview.postMessage(packMessage(message));
    } catch {
      // The webview went away while the message was on its way; its next page asks for everything.
      return false;
    }
  }
}

/** What a page sends is ours, unless something else has come to run in it. */
function isMessage(message: unknown): message is FromWebview {
  return typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string';
}
