import * as l10n from '@vscode/l10n';
import type { PromptListing } from '../../shared/pages/prompts';
import { hasHiddenText, shortenMiddle, showHidden } from '../../shared/text/visibleText';
import { ContentConsent, printOf, type AnswerMemory } from '../consent/contentConsent';
import { askInFull } from '../ui/askInFull';

/** Number of lines and characters that fit into the dialog. */
const shortLines = 15;
const shortLength = 1000;

/**
 * Shows a prompt of the workspace in full before its first use, and again after it has changed, because anyone who
 * writes to the workspace can write prompts.
 */
export class PromptConsent {
  private readonly consent: ContentConsent;

  constructor(memory: AnswerMemory) {
    this.consent = new ContentConsent(memory, 'parley.prompts.answers');
  }

  /** Resolves to whether a prompt's text may be used. */
  async get(prompt: Pick<PromptListing, 'name' | 'folder'>, text: string): Promise<boolean> {
    if (prompt.folder === '') return true;
    const print = printOf([prompt.name, text]);
    if (this.consent.known(print) === 'yes') return true;
    const answer = await askInFull({
      question: l10n.t('Use the prompt “{0}” from the folder “{1}”?', prompt.name, prompt.folder),
      describe: (detail) => describePrompt(text, detail),
      yes: l10n.t('Use Prompt'),
    });
    if (answer !== 'yes') return false;
    await this.consent.note([print], 'yes');
    return true;
  }

  /** The user has just written this prompt. */
  async wrote(name: string, text: string): Promise<void> {
    await this.consent.note([printOf([name, text])], 'yes');
  }
}

/** Returns a prompt's lines with hidden characters spelled out. */
export function describePrompt(text: string, detail: 'short' | 'whole'): readonly string[] {
  const visible = showHidden(text);
  const note = hasHiddenText(text) ? [l10n.t('Hidden characters are shown as in {0}.', '\\u{202e}'), ''] : [];
  const lines = visible.split('\n');
  if (detail === 'whole' || (lines.length <= shortLines && visible.length <= shortLength)) return [...note, ...lines];
  const cut = shortenMiddle(lines.slice(0, shortLines).join('\n'), shortLength);
  return [...note, cut, l10n.t('{0} lines in all', lines.length)];
}
