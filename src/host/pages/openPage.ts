import * as vscode from 'vscode';
import { plainTitle } from '../ui/labels';
import { pageHtml, pageRoots } from './pageHtml';
import { plainTabIcon } from './tabLook';

/** A page of its own, beside the chat. */
export interface OpenedPage<Message> {
  readonly extensionUri: vscode.Uri;
  readonly page: 'providers' | 'rules' | 'usage' | 'skills';
  readonly title: string;
  /** Whether what is typed stays while another tab is active. */
  readonly keepsText: boolean;
  readonly receive: (message: Message) => void;
  /** Called when the tab is closed. */
  readonly closed: () => void;
}

/** Opens one of Parley's pages in an editor tab. */
export function openPage<Message>(opened: OpenedPage<Message>): vscode.WebviewPanel {
  const { extensionUri, page, title, keepsText, receive, closed } = opened;
  const panel = vscode.window.createWebviewPanel(`parley.${page}`, plainTitle(title), vscode.ViewColumn.Active, {
    enableScripts: true,
    retainContextWhenHidden: keepsText,
    localResourceRoots: pageRoots(extensionUri),
  });
  panel.iconPath = plainTabIcon(extensionUri);
  panel.onDidDispose(closed);
  panel.webview.onDidReceiveMessage(receive);
  panel.webview.html = pageHtml(panel.webview, extensionUri, 'editor', page);
  return panel;
}
