// Headless Chromium, which shows the pages of the fake editor: the documents that Parley writes, with its built scripts, under its own
// content security policy. Each page has a frame of its own in one tab, as in the editor.
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, normalize } from 'node:path';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { inProduct, inRoot } from '../root.mjs';
import { startBrowser } from '../workbench/browser.mjs';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.map': 'application/json',
};
const theme = 'dark';

/** Where a page stands in the tab. */
export type Place = 'view' | 'editor';

/** What a page tells: a message for its extension, or that it has loaded. */
export type Told = { readonly message: unknown } | { readonly loaded: true } | { readonly violation: string };

interface Hooks {
  /** The document, in whose place the editor's own parts are put. */
  readonly html: () => string;
  readonly told: (what: Told) => void;
}

/** A page in a frame of the tab. */
export interface ShownPage {
  readonly frame: Frame;
  remove(): Promise<void>;
  setVisible(isVisible: boolean): Promise<void>;
}

/** The browser of a process, with a tab that outlives the desks in it. */
export class DeskBrowser {
  readonly tab: Page;
  private readonly browser: Browser;
  private readonly server: Server;
  private readonly pages: Map<string, Hooks>;
  private made = 0;

  private constructor(browser: Browser, tab: Page, server: Server, pages: Map<string, Hooks>) {
    this.browser = browser;
    this.tab = tab;
    this.server = server;
    this.pages = pages;
  }

  static async start(): Promise<DeskBrowser> {
    const pages = new Map<string, Hooks>();
    const server = createServer((request, response) => {
      void answer(new URL(request.url ?? '/', 'http://desk.test'), pages).then(
        ({ type, body }) => {
          response.writeHead(200, {
            'content-type': type,
            'cache-control': type === types['.js'] ? 'max-age=600' : '',
          });
          response.end(body);
        },
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
    // One process for all frames: to start one and to make it warm takes longer than most tests.
    const browser = await startBrowser(['--renderer-process-limit=1']);
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 720 } });
    await listen(context, pages);
    const tab = await context.newPage();
    await tab.goto(`${originOf(server)}/desk`);
    return new DeskBrowser(browser, tab, server, pages);
  }

  get origin(): string {
    return originOf(this.server);
  }

  /** Shows a page; resolves once it has loaded. `memory` is what it remembered before the window was reloaded. */
  async show(place: Place, hooks: Hooks, memory?: unknown): Promise<ShownPage> {
    const id = `page-${++this.made}`;
    let isLoaded: () => void = () => undefined;
    const loaded = new Promise<void>((done) => (isLoaded = done));
    this.pages.set(id, {
      html: hooks.html,
      told: (what) => {
        if ('loaded' in what) isLoaded();
        hooks.told(what);
      },
    });
    const element = await this.tab.evaluateHandle(
      ([name, where, state]) => {
        if (state !== '') sessionStorage.setItem(name, state);
        const frame = document.createElement('iframe');
        frame.name = name;
        frame.src = `/page/${name}`;
        document.getElementById(where)?.append(frame);
        return frame;
      },
      [id, place, memory === undefined ? '' : JSON.stringify(memory)] as const,
    );
    const frame = await element.contentFrame();
    if (!frame) throw new Error('The page has no frame.');
    await loaded;
    return {
      frame,
      remove: async () => {
        this.pages.delete(id);
        await element.evaluate((one) => one.remove());
      },
      setVisible: (isVisible) =>
        element.evaluate((one, shown) => one.classList.toggle('hidden', !shown), isVisible).then(() => undefined),
    };
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.server.closeAllConnections();
    await new Promise<void>((closed) => this.server.close(() => closed()));
  }
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Gives each page the editor's interface for pages. */
async function listen(context: BrowserContext, pages: ReadonlyMap<string, Hooks>): Promise<void> {
  await context.exposeBinding('deskTell', (_source, id: string, json: string) => {
    pages.get(id)?.told(JSON.parse(json) as Told);
  });
  await context.addInitScript(() => {
    const id = window.name;
    if (!location.pathname.startsWith('/page/')) return;
    const host = window as unknown as { deskTell(id: string, json: string): void };
    const tell = (what: object) => host.deskTell(id, JSON.stringify(what));
    let isTaken = false;
    Object.assign(window, {
      acquireVsCodeApi: () => {
        if (isTaken) throw new Error('An instance of the VS Code API has already been acquired');
        isTaken = true;
        return {
          postMessage: (message: unknown) => tell({ message }),
          getState: (): unknown => JSON.parse(sessionStorage.getItem(id) ?? 'null') ?? undefined,
          setState: (state: unknown) => sessionStorage.setItem(id, JSON.stringify(state)),
        };
      },
    });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      tell({ violation: `${violatedDirective} ${blockedURI}` }),
    );
    window.addEventListener('load', () => tell({ loaded: true }));
  });
}

async function answer(url: URL, pages: ReadonlyMap<string, Hooks>): Promise<{ type: string; body: string | Buffer }> {
  const path = decodeURIComponent(url.pathname);
  if (path === '/desk') return { type: 'text/html', body: desk };
  if (path === '/theme.css')
    return { type: 'text/css', body: await readFile(inRoot('test', 'page', 'themes', `${theme}.css`)) };
  if (path.startsWith('/page/')) {
    const page = pages.get(path.slice('/page/'.length));
    if (!page) throw new Error('There is no such page.');
    return { type: 'text/html', body: page.html().replace('<head>', head).replace('<body>', body) };
  }
  const file = normalize(path.slice('/file'.length));
  if (!file.startsWith(inProduct('dist', 'webview'))) throw new Error('This file is outside of the page’s folders.');
  return { type: types[extname(file)] ?? 'text/plain', body: await readFile(file) };
}

/** What the editor puts into the documents of pages: its colors, and the kind of its theme. */
const head = '<head><link rel="stylesheet" href="/theme.css">';
const body = '<body class="vscode-dark vscode-reduce-motion" data-vscode-theme-kind="vscode-dark">';

/** The chat has the width of a side bar that was made wider. */
const desk = `<!doctype html>
<title>Desk</title>
<link rel="icon" href="data:,">
<style>
  body { margin: 0; display: flex; height: 100vh; background: #181818 }
  #view { width: 480px }
  #editor { flex: 1 }
  #view, #editor { position: relative }
  iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0 }
  .hidden { visibility: hidden }
</style>
<div id="view"></div>
<div id="editor"></div>`;
