import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { howToGet, type Runtime } from '../../agent/registry/runtimes';
import { showWarning } from '../ui/notifications';

/** Explains that a program is missing or too old, and offers its page and, where there is one, its command. */
export async function offerRuntime(words: string, needs: Runtime): Promise<void> {
  const { url, host, command } = howToGet(needs, process.platform);
  const open = l10n.t('Open {0}', host);
  const copy = l10n.t('Copy Command');
  const chosen = await showWarning(words, open, ...(command === undefined ? [] : [copy]));
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(url));
  else if (chosen !== undefined) await vscode.env.clipboard.writeText(command ?? '');
}
