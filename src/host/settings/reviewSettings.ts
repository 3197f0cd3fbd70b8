import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import { askToUse, type AskInChat } from '../consent/chatQuestion';
import { askInFull } from '../ui/askInFull';
import { showInformation, showWarning } from '../ui/notifications';
import { openReadOnly } from '../ui/readOnlyText';
import type { Settings } from './settings';

/**
 * Shows that the workspace has settings that don't apply yet, and asks about them: once per window and content, in the
 * chat, or on demand.
 */
export class SettingsReview extends Disposable {
  private readonly settings: Settings;
  private shownPrint = '';

  constructor(settings: Settings) {
    super();
    this.settings = settings;
    this.register(settings.onDidChange(() => void this.tell()));
    void this.tell();
  }

  /** Shows the workspace's settings and asks whether to use them, also if the user has answered before. */
  async review(): Promise<void> {
    const found = this.settings.ofWorkspace;
    if (!found) {
      const words = vscode.workspace.isTrusted
        ? l10n.t('No settings in this workspace need your approval.')
        : l10n.t('This workspace isn’t trusted, so its settings aren’t used.');
      void showInformation(words);
      return;
    }
    const question = {
      question: questionWords(),
      describe: found.describe,
      yes: l10n.t('Use'),
      no: l10n.t('Don’t Use'),
    };
    const answer = await askInFull(question);
    if (answer !== undefined) await this.settings.answer(found, answer);
  }

  /** Asks in a chat whose session waits for the answer. Resolves once there is an answer or none is needed. */
  async askIn(ask: AskInChat, signal: AbortSignal): Promise<void> {
    const found = this.settings.ofWorkspace;
    if (!found || found.answer !== undefined) return;
    const [short, whole] = [found.describe('short').join('\n'), found.describe('whole').join('\n')];
    const title = l10n.t('Workspace settings');
    // The question stays open even if its text can't be shown.
    const show = () => void openReadOnly(title, whole).catch(() => undefined);
    const question = {
      title,
      question: questionWords(),
      text: short,
      use: l10n.t('Use'),
      refuse: l10n.t('Don’t use'),
      ...(short === whole ? {} : { look: { name: l10n.t('Show all'), show } }),
    };
    await this.settings.ask(found, (withdrawn) => askToUse(ask, question, withdrawn), signal);
  }

  private async tell(): Promise<void> {
    const found = this.settings.ofWorkspace;
    if (!found || found.answer !== undefined || found.print === this.shownPrint) return;
    this.shownPrint = found.print;
    const review = l10n.t('Review…');
    const words = l10n.t('This workspace has settings for Parley that need your approval before they’re used.');
    if ((await showWarning(words, review)) === review) await this.review();
  }
}

function questionWords(): string {
  return l10n.t('Use this workspace’s settings? They control which programs run and what agents are allowed to do.');
}
