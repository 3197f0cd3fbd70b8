// The whole product in plain Node, with a user: Parley over the fake editor, its real pages in headless Chromium, real agents and files.
// There is no VS Code. Use it where a test needs the chat page and what is behind it, but not what only the editor itself does
// (diff editors, hovers, its own file watching and saving, terminals to look at):
//
//   const desk = useDesk();                        // in a test file of a layer that has the build; one browser for the process
//   test('…', async () => {
//     const parley = await desk.open({ folder });  // a window; a test may change its settings, and open another one after it
//     const chat = new Chat(await parley.chat());  // the class of test/e2e/chat.ts, over the page’s frame
//     await parley.run('parley.newSession', { agent: 'Codex' });
//     await parley.inputs.picks('Codex');          // the editor's lists and boxes; also parley.notifications, .documents, .settings
//   });                                            // afterwards, the window is closed and its processes have ended
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach } from 'node:test';
import type { Frame } from 'playwright-core';
import { inProduct } from '../root.mjs';
import { keptState, ProductWindow, type KeptState } from '../unit-support/productWindow';
import { removeFolder } from '../unit-support/tempFolder';
import { commands, editor } from '../unit-support/vscode';
import { DeskBrowser } from './deskBrowser';
import { Furniture } from './furniture';

/** How a window is opened. */
export interface DeskOptions {
  /** The workspace folders; a new, empty one if there are none. */
  readonly folders?: readonly string[];
  /** The user's settings, by their full names. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly isTrusted?: boolean;
  /** What the editor has kept of the workspace since an earlier window. */
  readonly kept?: KeptState;
}

let browser: Promise<DeskBrowser> | undefined;

/** A window of the product, and the user before it. */
export class Desk {
  /** The first workspace folder. */
  readonly folder: string;
  readonly kept: KeptState;
  private readonly root: string;
  private readonly product: ProductWindow;
  private readonly furniture: Furniture;

  private constructor(browser: DeskBrowser, options: DeskOptions) {
    this.root = mkdtempSync(join(tmpdir(), 'parley-desk-'));
    const folders = options.folders ?? [join(this.root, 'project')];
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    this.folder = folders[0] ?? this.root;
    this.kept = options.kept ?? keptState(join(this.root, 'kept'));
    editor.reset();
    editor.folders = [...folders];
    editor.isTrusted = options.isTrusted ?? true;
    Object.assign(editor.settings, options.settings);
    // What a person’s shell reads at its start takes longer than a test, and differs from one machine to the other.
    process.env['SHELL'] = '/bin/sh';
    this.furniture = new Furniture(browser);
    this.product = new ProductWindow(this.kept, inProduct());
  }

  /** Opens a window, with the chat in sight. The one before it must be closed: there is one fake editor. */
  static async open(options: DeskOptions = {}): Promise<Desk> {
    const desk = new Desk(await (browser ??= DeskBrowser.start()), options);
    await desk.run('parley.chat.focus');
    await desk.chat();
    return desk;
  }

  /** Ends the browser of the process. */
  static async end(): Promise<void> {
    const ended = await browser;
    browser = undefined;
    await ended?.stop();
  }

  get inputs() {
    return this.furniture.inputs;
  }

  get notifications() {
    return this.furniture.notifications;
  }

  get documents() {
    return this.furniture.documents;
  }

  get settings() {
    return this.furniture.settings;
  }

  get dialogs() {
    return this.furniture.dialogs;
  }

  /** The sessions of the window. */
  get pool() {
    return this.product.pool;
  }

  /** The document of the chat in the side bar. */
  chat(): Promise<Frame> {
    return this.furniture.webviews.view('parley.chat');
  }

  /** The document of the page in the editor's tab in front. */
  panel(): Promise<Frame> {
    return this.furniture.webviews.panel();
  }

  /** Runs a command. */
  run(id: string, ...args: readonly unknown[]): Promise<unknown> {
    return commands.executeCommand(id, ...args);
  }

  /** What the content security policies of the pages have stopped. */
  get violations(): readonly string[] {
    return this.furniture.webviews.violations;
  }

  /** Closes the window; resolves once every agent and terminal has ended. */
  async close(): Promise<void> {
    await this.product.stop();
    await this.furniture.dispose();
    editor.forgetListeners();
    await removeFolder(this.root);
  }
}

/** Opens windows for the tests of a file; each is closed after its test, and the browser after the last of them. */
export function useDesk(): { open(options?: DeskOptions): Promise<Desk> } {
  let opened: Desk | undefined;
  const close = async () => {
    const closing = opened;
    opened = undefined;
    await closing?.close();
  };
  afterEach(close);
  after(() => Desk.end());
  return {
    open: async (options) => {
      await close();
      return (opened = await Desk.open(options));
    },
  };
}
