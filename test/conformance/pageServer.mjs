// @ts-check
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Workbench } from '../workbench/workbench.mjs';
import { serveEditor } from './editorServer.mjs';
import { servePage, timeout } from './pageActions.mjs';

/** @typedef {import('./pageActions.mjs').Wish} Wish */

/**
 * Lets the cases, which run inside the extension host, look at the chat page and use it. `PARLEY_CONFORMANCE_PAGE` of the
 * extension host is to be the port.
 */
export class PageServer {
  constructor() {
    /** The window; set once it is open. @type {import('playwright-core').Page | undefined} */
    this.page = undefined;
    this.server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      request.on('end', () => {
        this.serve(JSON.parse(text)).then(
          (value) => response.end(JSON.stringify({ value })),
          async (error) => {
            const shown = await this.serve({ action: 'texts', css: 'body' }).catch(String);
            response.end(JSON.stringify({ error: `${text}: ${String(error)}\nThe page shows: ${String(shown)}` }));
          },
        );
      });
    });
  }

  /** Resolves to the port. */
  async listen() {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return /** @type {import('node:net').AddressInfo} */ (this.server.address()).port;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** @param {Wish} wish @returns {Promise<unknown>} */
  async serve(wish) {
    if (!this.page) throw new Error('There is no window yet.');
    const window = this.page;
    const workbench = new Workbench(window, /** @type {any} */ (undefined), '');
    const chat = wish.place === 'editor' ? workbench.editorView() : (chatIn(window) ?? workbench.chatView());
    return servePage(chat, wish, async () => {
      if (wish.action !== 'opened') return serveEditor(window, wish, timeout);
      const opened = window
        .context()
        .pages()
        .filter((page) => page !== window);
      for (const page of opened) await page.close();
      return opened.map((page) => page.url());
    });
  }
}

/**
 * The document of the chat view, when it is there: to look for it anew through its frames takes longer than what is done in it.
 * @param {import('playwright-core').Page} window
 */
function chatIn(window) {
  return window.frames().findLast((frame) => {
    if (!frame.url().includes('fake.html')) return false;
    const { searchParams } = new URL(frame.parentFrame()?.url() ?? 'about:blank');
    return searchParams.get('purpose') === 'webviewView' && searchParams.get('extensionId') === 'parley.parley-acp';
  });
}
