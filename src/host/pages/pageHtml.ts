import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { escapeHtml } from '../../shared/text/escapeHtml';

/** Folders that the page may load files from. */
export function pageRoots(extensionUri: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')];
}

/**
 * Returns a page's document, by default the chat's. `start` is what its script reads before it asks for anything. Its policy allows Parley's own script by nonce, Parley's own files,
 * nothing from the network, and no inline code.
 */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  host: 'view' | 'editor',
  page: 'main' | 'parley' | 'providers' | 'review' | 'tries' = 'main',
  start = '',
): string {
  const nonce = randomBytes(16).toString('base64');
  const base = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(base, name)).toString();
  const source = webview.cspSource;
  const policy = [
    `default-src 'none'`,
    // The script imports chunks from the extension's files.
    `script-src 'nonce-${nonce}' ${source}`,
    // The toolkit tests the browser with a style element that uses the nonce of the meta tag below.
    `style-src 'nonce-${nonce}' ${source}`,
    `font-src ${source}`,
    // Diagrams are drawn in a worker, whose code the page has in memory.
    `worker-src blob:`,
    `img-src ${source} data: blob:`,
    `media-src data: blob:`,
  ].join('; ');
  return `<!doctype html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width">
<meta name="parley-l10n" content="${escapeHtml(JSON.stringify(vscode.l10n.bundle ?? {}))}">
${
  start === ''
    ? ''
    : `<meta name="parley-start" content="${escapeHtml(start)}">
`
}<title>Parley</title>
<link rel="stylesheet" href="${file(`${page}.css`)}">
</head>
<body>
<div id="root" class="pl" data-host="${host}"></div>
<script type="module" nonce="${nonce}" src="${file(`${page}.js`)}"></script>
</body>
</html>`;
}
