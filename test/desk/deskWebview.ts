// The editor's webviews: each is a page of the browser, and what Parley and the page say goes both ways.
import { EventEmitter, Uri } from '../unit-support/vscode';
import type { Frame } from 'playwright-core';
import { Changes } from './changes';
import type { DeskBrowser, Place, ShownPage, Told } from './deskBrowser';

interface Waiting {
  readonly json: string;
  readonly done: (isDelivered: boolean) => void;
}

/** A webview. Its page loads when its document is set, and messages wait for that. */
export class DeskWebview {
  options: unknown = {};
  /** What its content security policy has stopped. */
  readonly violations: string[] = [];
  readonly cspSource: string;
  private readonly browser: DeskBrowser;
  private readonly place: Place;
  private readonly received = new EventEmitter();
  readonly onDidReceiveMessage = this.received.event;
  private readonly changes = new Changes();
  private text = '';
  private page: Promise<ShownPage> | undefined;
  private shown: ShownPage | undefined;
  private waiting: Waiting[] = [];
  private isSending = false;
  private memory: unknown;

  constructor(browser: DeskBrowser, place: Place, memory?: unknown) {
    this.browser = browser;
    this.place = place;
    this.cspSource = browser.origin;
    this.memory = memory;
  }

  get html(): string {
    return this.text;
  }

  set html(text: string) {
    this.text = text;
    this.reload();
  }

  /** The page's frame, once it has loaded. */
  frame(): Promise<Frame> {
    return this.changes.until(
      () => this.shown?.frame,
      () => 'The page hasn’t loaded.',
    );
  }

  asWebviewUri(uri: Uri): Uri {
    return Uri.from({ scheme: 'http', authority: new URL(this.browser.origin).host, path: `/file${uri.path}` });
  }

  /** Resolves to whether the page got it. */
  postMessage(message: unknown): Promise<boolean> {
    return new Promise((done) => {
      this.waiting.push({ json: JSON.stringify(message), done });
      void this.send();
    });
  }

  /** Loads the page anew, as the editor does when it shows one that it hasn’t kept. */
  reload(): void {
    const before = this.page;
    this.shown = undefined;
    const page = (async () => {
      await (await before)?.remove();
      return this.browser.show(this.place, { html: () => this.text, told: (what) => this.heard(what) }, this.memory);
    })();
    this.page = page;
    void page.then((shown) => {
      if (this.page !== page) return;
      this.shown = shown;
      this.changes.note();
      void this.send();
    });
  }

  async setVisible(isVisible: boolean): Promise<void> {
    await (await this.page)?.setVisible(isVisible);
  }

  /** Removes the page. */
  async close(): Promise<void> {
    const { page } = this;
    this.page = undefined;
    this.shown = undefined;
    for (const { done } of this.waiting.splice(0)) done(false);
    await (await page)?.remove();
  }

  private heard(what: Told): void {
    if ('message' in what) this.received.fire(what.message);
    else if ('violation' in what) this.violations.push(what.violation);
  }

  /** Sends what waits, all at once: the page gets it in its order. */
  private async send(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    try {
      while (this.shown && this.waiting.length > 0) {
        const some = this.waiting.splice(0);
        const isDelivered = await this.shown.frame
          .evaluate(
            (all) => {
              for (const json of all) {
                window.dispatchEvent(new MessageEvent('message', { data: JSON.parse(json) as unknown }));
              }
            },
            some.map(({ json }) => json),
          )
          // The page may be closed meanwhile.
          .then(
            () => true,
            () => false,
          );
        for (const { done } of some) done(isDelivered);
      }
    } finally {
      this.isSending = false;
    }
  }
}
