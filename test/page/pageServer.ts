import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { randomBytes } from 'node:crypto';

/** Where axe is served, so that a page under test can load it like a script of its own. */
export const axePath = '/axe.min.js';

/** VS Code's colour themes that the tests know, as the class of `body` names them. */
export const themes = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  highContrast: 'vscode-dark vscode-high-contrast',
} as const;
export type Theme = keyof typeof themes;

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.map': 'application/json',
};

/** Serves the built page on loopback, inside the same HTML and under the same policy as the extension host does. */
export class PageServer {
  private readonly server: Server;
  private readonly root: string;
  /** The built page. */
  private readonly built: string;

  private constructor(server: Server, root: string) {
    this.server = server;
    this.root = root;
    this.built = join(process.env['PARLEY_PRODUCT'] ?? root, 'dist/webview');
  }

  /** `root` is the project's folder; the page must have been built into dist/webview, there or in the product of the run. */
  static async start(root: string): Promise<PageServer> {
    const server = createServer();
    const started = new PageServer(server, root);
    server.on('request', (request, response) => {
      void started.answer(new URL(request.url ?? '/', started.origin)).then(
        ({ headers, body }) => response.writeHead(200, headers).end(body),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return started;
  }

  get origin(): string {
    const address = this.server.address();
    return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : 'http://127.0.0.1';
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(url: URL): Promise<{ headers: Record<string, string>; body: string | Buffer }> {
    if (url.pathname === '/') return this.html(url.searchParams);
    const path = normalize(url.pathname);
    const headers = { 'content-type': types[extname(path)] ?? 'text/plain', 'cache-control': 'max-age=600' };
    return { headers, body: await readFile(this.file(path)) };
  }

  private file(path: string): string {
    if (path === axePath) return join(this.root, 'node_modules/axe-core', path);
    return path.startsWith('/themes/') ? join(this.root, 'test/page', path) : join(this.built, path);
  }

  private html(query: URLSearchParams): { headers: Record<string, string>; body: string } {
    const nonce = randomBytes(16).toString('hex');
    const theme = (query.get('theme') ?? 'dark') as Theme;
    const classes = `${themes[theme]} ${query.get('motion') === 'reduced' ? 'vscode-reduce-motion' : ''}`;
    const named = query.get('page') ?? '';
    const page = ['parley', 'providers', 'review', 'tries'].includes(named) ? named : 'main';
    const source = this.origin;
    const policy = [
      `default-src 'none'`,
      `script-src 'nonce-${nonce}' ${source}`,
      `style-src 'nonce-${nonce}' ${source}`,
      `img-src ${source} data: blob:`,
      `media-src data: blob:`,
      `font-src ${source}`,
      `worker-src blob:`,
    ].join('; ');
    const words = (query.get('words') ?? '').replace(/&/g, '&amp;').replace(/'/g, '&#39;');
    const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta property="csp-nonce" content="${nonce}" />
    <meta name="viewport" content="width=device-width" />
    <meta name="parley-l10n" content='${words}' />
    <title>Parley</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/themes/${theme}.css" />
    <link rel="stylesheet" href="/${page}.css" />
  </head>
  <body class="${classes}">
    <div id="root" class="pl" data-host="${query.get('host') ?? 'view'}"></div>
    <script type="module" nonce="${nonce}" src="/${page}.js"></script>
  </body>
</html>`;
    return { headers: { 'content-type': 'text/html' }, body };
  }
}
