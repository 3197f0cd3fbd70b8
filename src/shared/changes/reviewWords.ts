import * as l10n from '@vscode/l10n';
import type { GuardedReason } from '../limits/guardedPlaces';
import type { UnreadReason } from './review';

/** Returns why a change can't be undone and what to do about it. */
export function whyNotUndone(reason: UnreadReason): string {
  switch (reason) {
    case 'large':
      return l10n.t('Files over 5 MB are recorded only if they’re committed to Git. Restore this file from a backup.');
    case 'ignored':
      return l10n.t(
        'Packages, build output, and large ignored folders aren’t recorded. Install or build this again, or restore it from a backup.',
      );
    case 'budget':
      return l10n.t(
        'There were too many files to record. Commit your files to a Git repository so changes can be undone.',
      );
    case 'repository':
      return l10n.t(
        'The agent deleted the Git repository with the previous version. Clone it again or restore “.git” from a backup.',
      );
    case 'unreadable':
      return l10n.t('The file’s previous version couldn’t be read. Restore it from a backup.');
    case 'late':
      return l10n.t('The file changed before it was recorded, as the agent started first. Restore it from a backup.');
    case 'outside':
      return l10n.t(
        'Files outside the workspace aren’t recorded. Add the file’s folder to the workspace so changes can be undone.',
      );
  }
}

/** Returns the possible effects of a change in a guarded place. */
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
      return l10n.t('Can contain keys or tokens');
  }
}

/** Returns what it means that a change is on disk, under unsaved text in the editor. */
export function underUnsavedWords(): string {
  return l10n.t(
    'The agent changed this file on disk while you have unsaved text in it. Saving can report a conflict. Undo doesn’t touch your text.',
  );
}

/** Says in how many files changes were undone at once. */
export function undidWords(files: number): string {
  return files === 1 ? l10n.t('Undid the changes in 1 file') : l10n.t('Undid the changes in {0} files', files);
}
