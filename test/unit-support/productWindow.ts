// A window with the whole product in plain Node: real agents, sessions, and stores, with an editor that the test controls.
import type { SessionKey } from '../../src/shared/values/ids';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { Parley } from '../../src/host/parley';
import type { FromWebview, ToWebview } from '../../src/shared/pages/messages';
import { Unpacker, type PackedMessage } from '../../src/shared/pages/pack';
import { editor, EventEmitter, Uri } from './vscode';

type Values = Map<string, unknown>;

/** The state of a workspace that the editor keeps between windows. */
export interface KeptState {
  readonly folder: string;
  /** The folder of what all windows of the user share. */
  readonly global: string;
  readonly workspaceState: Values;
  readonly globalState: Values;
  readonly secrets: Map<string, string>;
}

export function keptState(folder: string, global = join(folder, 'global')): KeptState {
  mkdirSync(join(folder, 'storage'), { recursive: true });
  mkdirSync(global, { recursive: true });
  return { folder, global, workspaceState: new Map(), globalState: new Map(), secrets: new Map() };
}

/** A chat page as the host sees it, read by the test. */
export class FakePage {
  readonly got: ToWebview[] = [];
  html = '';
  options: unknown;
  readonly cspSource = 'https://file.test';
  private readonly unpacker = new Unpacker();
  private readonly waiting: (() => void)[] = [];
  private readonly received = new EventEmitter();
  readonly onDidReceiveMessage = this.received.event;

  asWebviewUri(uri: Uri): Uri {
    return Uri.from({ scheme: 'https', authority: 'file.test', path: uri.path });
  }

  postMessage(message: PackedMessage): Promise<boolean> {
    this.got.push(this.unpacker.unpack(message));
    for (const heard of this.waiting.splice(0)) heard();
    return Promise.resolve(true);
  }

  /** Resolves with the host's next message. */
  hearsMore(): Promise<void> {
    return new Promise((resolveHeard) => {
      this.waiting.push(resolveHeard);
    });
  }

  say(message: FromWebview): void {
    this.received.fire(message);
  }
}

export class ProductWindow {
  readonly product: Parley;
  private readonly subscriptions: { dispose(): unknown }[] = [];

  /** `built` is the folder of the built extension; without it, its programs are nowhere. */
  constructor(kept: KeptState, built?: string) {
    const memento = (values: Values) => ({
      get: (key: string, otherwise?: unknown) => values.get(key) ?? otherwise,
      update: (key: string, value: unknown) => {
        if (value === undefined) values.delete(key);
        else values.set(key, structuredClone(value));
        return Promise.resolve();
      },
      keys: () => [...values.keys()],
      setKeysForSync: () => undefined,
    });
    const { secrets } = kept;
    const context = {
      extensionPath: built ?? join(kept.folder, 'extension'),
      extensionUri: Uri.file(built ?? resolve('.')),
      extension: { packageJSON: { version: '0.0.0' } },
      subscriptions: this.subscriptions,
      workspaceState: memento(kept.workspaceState),
      globalState: memento(kept.globalState),
      storageUri: Uri.file(join(kept.folder, 'storage')),
      globalStorageUri: Uri.file(kept.global),
      secrets: {
        get: (key: string) => Promise.resolve(secrets.get(key)),
        store: (key: string, value: string) => Promise.resolve(void secrets.set(key, value)),
        delete: (key: string) => Promise.resolve(void secrets.delete(key)),
        keys: () => Promise.resolve([...secrets.keys()]),
        onDidChange: () => ({ dispose: () => undefined }),
      },
    };
    this.product = new Parley(context as unknown as vscode.ExtensionContext);
  }

  /**
   * Opens the chat in the side bar, loaded and ready. Messages posted by the host are in `got`. `session` is the page's
   * record of what it showed before a reload.
   */
  openChat(session?: SessionKey): FakePage {
    const page = new FakePage();
    const provider = editor.providers.get('parley.chat') as { resolveWebviewView(view: unknown): void };
    const listen = () => ({ dispose: () => undefined });
    provider.resolveWebviewView({
      webview: page,
      visible: true,
      show: () => undefined,
      onDidChangeVisibility: listen,
      onDidDispose: listen,
    });
    page.say({ type: 'ready', ...(session === undefined ? {} : { session }), rev: 0 });
    return page;
  }

  /** The sessions of the window. */
  get pool() {
    return this.product.agents.pool;
  }

  get asked() {
    return this.product.agents.asked;
  }

  get terminals() {
    return this.product.agents.terminals;
  }

  get store() {
    return this.product.work.sessions;
  }

  get review() {
    return this.product.work.review;
  }

  stop(): Promise<void> {
    return this.product.stop();
  }
}
