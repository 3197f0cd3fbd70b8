import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { isShell } from '../../shared/text/shellLanguages';
import type { IntentOf } from '../pages/intent';
import { showWarning } from '../ui/notifications';
import { applyCode } from './applyCode';
import { createFromCode } from './createFromCode';
import { languageOf } from './namedFile';
import { runCode } from './runCode';
import type { CodeReview, UsedCode } from './usedCode';

/** Maximum length of code to use, in UTF-16 units. */
const longest = 5_000_000;

/** Does what the user chose for a code block. */
export async function useCode(review: CodeReview, session: Session, message: IntentOf<'useCode'>): Promise<void> {
  const { action, text, info, hints } = message;
  if (text.trim() === '') {
    void showWarning(l10n.t('The code block is empty.'));
    return;
  }
  if (text.length > longest) {
    void showWarning(l10n.t('The code block is too long. Copy what you need from it.'));
    return;
  }
  if (!vscode.workspace.isTrusted) {
    const manage = l10n.t('Manage Trust');
    const sentence = l10n.t('This folder isn’t trusted, so code from agents can’t be written or run here.');
    if ((await showWarning(sentence, manage)) === manage) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
    return;
  }
  const code: UsedCode = { session, text, info, hints: hints.slice(0, 20) };
  if (action === 'apply') await applyCode(review, code);
  else if (action === 'create') await createFromCode(review, code);
  else if (isShell(languageOf(info))) await runCode(code);
}
