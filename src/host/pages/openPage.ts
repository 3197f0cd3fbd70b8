import * as vscode from 'vscode';
import { plainTitle } from '../ui/labels';
import { pageHtml, pageRoots } from './pageHtml';
import { plainTabIcon } from './tabLook';

/** A page of its own, beside the chat. */
export interface OpenedPage<Message> {
  readonly extensionUri: vscode.Uri;
  /** By which VS Code restores its tab. */
  readonly viewType: `parley.${string}`;
  readonly page: 'providers' | 'parley';
  readonly title: string;
  /** Whether what is typed stays while another tab is active. */
  readonly keepsText: boolean;
  readonly receive: (message: Message) => void;
  /** Called when the tab is closed. */
  readonly closed: () => void;
}

/** Opens one of Parley's pages in an editor tab, or in the one that was restored after the window had reloaded. */
export function openPage<Message>(opened: OpenedPage<Message>, restored?: vscode.WebviewPanel): vscode.WebviewPanel {
  const { extensionUri, viewType, page, title, keepsText, receive, closed } = opened;
  const options = { retainContextWhenHidden: keepsText };
  const panel =
    restored ?? vscode.window.createWebviewPanel(viewType, plainTitle(title), vscode.ViewColumn.Active, options);
  // A restored tab has the folders of the version that opened it.
  panel.webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
  panel.iconPath = plainTabIcon(extensionUri);
  panel.onDidDispose(closed);
  panel.webview.onDidReceiveMessage(receive);
  panel.webview.html = pageHtml(panel.webview, extensionUri, 'editor', page);
  return panel;
}
