import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plainTitle } from '../ui/labels';
import { showInformation } from '../ui/notifications';
import { targetColumn } from '../ui/targetColumn';

/**
 * Shows what replacing a whole file would change, and asks whether to. The question isn't modal, so that the user can scroll through the
 * changes.
 */
export async function showsWholeFile(document: vscode.TextDocument, text: string): Promise<boolean> {
  // A scheme of its own, so that the text exists only for this question.
  const scheme = `parley-apply-${randomUUID().slice(0, 8)}`;
  const right = document.uri.with({ scheme, query: '', authority: '' });
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: () => text,
  });
  const name = basename(document.uri.path);
  try {
    const title = plainTitle(l10n.t('{0} (proposed)', name));
    const options = { preview: true, viewColumn: targetColumn() };
    await vscode.commands.executeCommand('vscode.diff', document.uri, right, title, options);
    const replace = l10n.t('Replace File');
    return (await showInformation(l10n.t('Replace all of {0} with this code?', name), replace)) === replace;
  } finally {
    provider.dispose();
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
    const own = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme,
    );
    if (own.length > 0) await vscode.window.tabGroups.close(own);
  }
}
