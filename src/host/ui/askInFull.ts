import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Detail } from '../../agent/spec/describeEntry';
import { askModal } from './notifications';
import { openReadOnly } from './readOnlyText';

/** A question about content that may be long. */
export interface FullQuestion {
  readonly question: string;
  /** Returns the subject of the question in lines. `short` fits on the screen. */
  readonly describe: (detail: Detail) => readonly string[];
  readonly yes: string;
  /** A second answer besides dismissing the question. */
  readonly no?: string;
}

/**
 * Asks before something runs. Content that doesn't fit into a dialog is opened as text before the user can agree. The
 * question then stays above it until it's answered. Resolves to undefined if the user dismisses it.
 */
export async function askInFull({ question, describe, yes, no }: FullQuestion): Promise<'yes' | 'no' | undefined> {
  const [short, whole] = [describe('short').join('\n'), describe('whole').join('\n')];
  const showAll = l10n.t('Show All');
  // Nobody agrees to what they haven't seen.
  const items = [short === whole ? yes : showAll, ...(no === undefined ? [] : [no])];
  let chosen = await askModal(question, { detail: short, items });
  if (chosen === showAll) {
    await openReadOnly(question, whole);
    chosen = await askBeside(question, [yes, no ?? l10n.t('Cancel')]);
  }
  if (chosen === yes) return 'yes';
  return chosen !== undefined && chosen === no ? 'no' : undefined;
}

/** Uses a quick pick that stays open, because a modal dialog would prevent scrolling the text. */
function askBeside(question: string, answers: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showQuickPick([...answers], { title: question, placeHolder: question, ignoreFocusOut: true });
}
