import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Detail } from '../../agent/describeEntry';
import { askModal } from './notifications';
import { openReadOnly } from './readOnlyText';

/** A question about something that can be long. */
export interface FullQuestion {
  readonly question: string;
  /** What it is about, in lines; `short` fits on the screen. */
  readonly describe: (detail: Detail) => readonly string[];
  readonly yes: string;
  /** A second answer beside leaving the question. */
  readonly no?: string;
}

/**
 * Asks before something runs. What doesn't fit into a dialog is offered as a text to read; the question then stays above it until it
 * is answered. Resolves to undefined when the user leaves it.
 */
export async function askInFull({ question, describe, yes, no }: FullQuestion): Promise<'yes' | 'no' | undefined> {
  const [short, whole] = [describe('short').join('\n'), describe('whole').join('\n')];
  const showAll = l10n.t('Show All');
  const items = [yes, ...(short === whole ? [] : [showAll]), ...(no === undefined ? [] : [no])];
  let chosen = await askModal(question, { detail: short, items });
  if (chosen === showAll) {
    await openReadOnly(question, whole);
    chosen = await askBeside(question, [yes, no ?? l10n.t('Cancel')]);
  }
  if (chosen === yes) return 'yes';
  return chosen !== undefined && chosen === no ? 'no' : undefined;
}

/** A modal dialog would keep the user from scrolling the text: a list that stays open doesn't. */
function askBeside(question: string, answers: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showQuickPick([...answers], { title: question, placeHolder: question, ignoreFocusOut: true });
}
