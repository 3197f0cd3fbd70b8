import * as l10n from '@vscode/l10n';
import type { GuardedReason } from './guardedPlaces';
import type { UnreadReason } from './review';

/** Why a change cannot be undone, and what can be done about it. */
export function whyNotUndone(reason: UnreadReason): string {
  switch (reason) {
    case 'large':
      return l10n.t(
        'It can’t be undone because files over 5 MB aren’t recorded outside of a git repository. Restore it from a backup.',
      );
    case 'ignored':
      return l10n.t(
        'It can’t be undone because ignore rules leave it out, so it wasn’t recorded. Build it again, or restore it from a backup.',
      );
    case 'budget':
      return l10n.t(
        'It can’t be undone because there were too many files to record. Commit your files to a git repository so that changes can be undone.',
      );
    case 'unreadable':
      return l10n.t('It can’t be undone because its earlier content couldn’t be read. Restore it from a backup.');
    case 'outside':
      return l10n.t(
        'It can’t be undone because it’s outside the workspace folders. Add its folder to the workspace so that changes can be undone.',
      );
  }
}

/** What a change in a guarded place may do. */
export function guardedWords(reason: GuardedReason): string {
  switch (reason) {
    case 'editorSettings':
    case 'agentSettings':
      return l10n.t('Runs programs or changes permissions');
    case 'gitHooks':
    case 'startupFiles':
      return l10n.t('Runs programs');
    case 'automation':
      return l10n.t('Runs programs with the repository’s secrets');
    case 'credentials':
      return l10n.t('Contains keys or tokens');
  }
}
