import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plainTitle } from '../ui/labels';
import { showInformation } from '../ui/notifications';
import { targetColumn } from '../ui/targetColumn';

/**
 * Shows what a file's new text would change, and asks whether to replace it. The question isn't modal, so that the user can scroll through
 * the changes.
 */
export async function isAccepted(document: vscode.TextDocument, text: string, question: string): Promise<boolean> {
  // A scheme of its own, so that the text exists only for this question.
  const scheme = `parley-apply-${randomUUID().slice(0, 8)}`;
  const right = document.uri.with({ scheme, query: '', authority: '' });
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: () => text,
  });
  try {
    const title = plainTitle(l10n.t('{0} (proposed)', basename(document.uri.path)));
    const options = { preview: true, viewColumn: targetColumn() };
    await vscode.commands.executeCommand('vscode.diff', document.uri, right, title, options);
    const replace = l10n.t('Replace');
    return (await showInformation(question, replace)) === replace;
  } finally {
    provider.dispose();
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
    const own = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme,
    );
    if (own.length > 0) await vscode.window.tabGroups.close(own);
  }
}
