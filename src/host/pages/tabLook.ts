import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plainTitle } from '../ui/labels';

/** A session's state in the icon and title of its editor tab. */
export type TabState = 'idle' | 'running' | 'waiting' | 'unread' | 'failed';

/** Returns the icon of a tab. Its shapes and colors are those of the chat page's own tabs. */
export function tabIcon(
  extensionUri: vscode.Uri,
  state: TabState,
): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', 'tab', `${state}-${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}

/** Returns the icon of a tab that isn't a session's. An icon in the text's color would be black in every theme. */
export function plainTabIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', 'tab', `parley-${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}

/** Returns the title of a tab. It contains the state because screen readers can't read the icon. */
export function tabTitle(title: string, state: TabState): string {
  return plainTitle(withState(title === '' ? 'Parley' : title, state));
}

function withState(title: string, state: TabState): string {
  switch (state) {
    case 'idle':
      return title;
    case 'running':
      return l10n.t('Running: {0}', title);
    case 'waiting':
      return l10n.t('Waiting for you: {0}', title);
    case 'unread':
      return l10n.t('Unread: {0}', title);
    case 'failed':
      return l10n.t('Failed: {0}', title);
  }
}
