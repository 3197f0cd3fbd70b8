import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { notTrustedSentence } from '../../session/notTrusted';
import { showWarning } from '../ui/notifications';

/** Explains why nothing starts in this folder, and offers to manage trust. */
export async function warnUntrusted(words = notTrustedSentence()): Promise<void> {
  const manage = l10n.t('Manage Trust');
  const chosen = await showWarning(words, manage);
  if (chosen === manage) await manageTrust();
}

/** Opens the editor's workspace trust page. */
export async function manageTrust(): Promise<void> {
  await vscode.commands.executeCommand('workbench.trust.manage');
}
