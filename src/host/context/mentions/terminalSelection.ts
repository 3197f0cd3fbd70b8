import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../../shared/transcript/content';
import { plainTitle } from '../../ui/labels';
import { showWarning } from '../../ui/notifications';
import { textAttachment } from '../attachments/attach';
import { textLimit } from '../attachments/readContext';

/** How often the clipboard is read until the selection is there. The editor's command ends before it has copied. */
const attempts = 75;
/** The time between two reads, in milliseconds. */
const pauseMs = 40;

/** The functions of the editor that reading a terminal's selection needs. */
export interface SelectionSource {
  readonly clipboard: { readText(): Thenable<string>; writeText(text: string): Thenable<void> };
  /** Copies the selection of the active terminal to the clipboard, if there is one. */
  copy(): Thenable<unknown>;
  /** Asks whether a clipboard without text may be replaced. */
  mayReplace(): Promise<boolean>;
  /** Resolves after a moment. */
  pause(): Promise<unknown>;
}

const editor: SelectionSource = {
  clipboard: vscode.env.clipboard,
  copy: () => vscode.commands.executeCommand('workbench.action.terminal.copySelection'),
  mayReplace: async () => {
    const add = l10n.t('Add Selection');
    const question = l10n.t(
      'Adding a terminal selection replaces the clipboard. Parley can restore text, but not what the clipboard has now.',
    );
    return (await showWarning(question, add)) === add;
  },
  pause: () => pause(pauseMs),
};

/**
 * Returns the text that is selected in the active terminal: empty if nothing is, undefined if the user cancels. VS Code
 * offers it by way of the clipboard alone, whose text is restored. The user is asked before anything else on it, such as
 * an image, is lost.
 */
export async function selectedInTerminal(source: SelectionSource = editor): Promise<string | undefined> {
  const { clipboard } = source;
  const before = await clipboard.readText();
  if (before === '' && !(await source.mayReplace())) return undefined;
  // If nothing is selected, nothing is copied, and what was on the clipboard must not be taken for the selection.
  const mark = randomUUID();
  try {
    await clipboard.writeText(mark);
    await source.copy();
    for (let attempt = 0; attempt < attempts; attempt++) {
      const text = await clipboard.readText();
      if (text !== mark) return text;
      await source.pause();
    }
    return '';
  } finally {
    await clipboard.writeText(before);
  }
}

/**
 * Returns the selection of the active terminal as an attachment, or undefined if the user cancels. Rejects with a
 * sentence if there is none.
 */
export async function terminalAttachment(): Promise<Attachment | undefined> {
  const terminal = vscode.window.activeTerminal;
  if (!terminal) throw new Error(l10n.t('There’s no terminal. Open one and select text in it.'));
  const text = await selectedInTerminal();
  if (text === undefined) return undefined;
  if (text.trim() === '') throw new Error(l10n.t('Nothing is selected in the terminal.'));
  const name = l10n.t('Terminal {0}', plainTitle(terminal.name));
  if (text.length > textLimit) throw new Error(l10n.t('The selection is too large to attach.'));
  return textAttachment(`${name}.txt`, text);
}
