import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { NoticeText } from '../../session/session';
import { titleOf } from '../../session/update/title';
import type { RestoreUndo } from '../../review/checkpoints/restoreUndo';
import type { NoticeEntry, UserMessageEntry } from '../../shared/transcript/transcript';

/** A file that couldn't be written, and the reason. */
export interface FailedFile {
  readonly uri: string;
  readonly cause: string;
}

/** The result of a restore or of its undo. `left`: files that were skipped because they changed. */
export interface WriteOutcome {
  readonly done: readonly string[];
  readonly failed: FailedFile | undefined;
  /** Files after the one that failed. */
  readonly notTried: readonly string[];
  readonly left: readonly string[];
}

/** Returns the notice about a restore. `name` is the message's name. */
export function restoredNotice(name: string, outcome: WriteOutcome): NoticeText {
  const { done, failed, notTried } = outcome;
  const undo = done.length > 0 ? { restore: 'undoable' as const } : {};
  if (failed) {
    const all = done.length + 1 + notTried.length;
    const title =
      done.length === 0
        ? l10n.t('Couldn’t restore files to before “{0}”', name)
        : l10n.t('Restored {0} of {1} files to before “{2}”', done.length, all, name);
    return { severity: 'error', title, description: failureWords(outcome, failed), ...undo };
  }
  const title =
    done.length === 1
      ? l10n.t('Restored 1 file to before “{0}”', name)
      : l10n.t('Restored {0} files to before “{1}”', done.length, name);
  return { severity: 'info', title, ...leftWords(outcome), ...undo };
}

/** Returns the notice about a restore that an earlier window started. */
export function interruptedNotice({ name, files, isOpen, isBrought }: RestoreUndo): NoticeText {
  if (isBrought) return broughtAgain({ name, files, isOpen });
  if (!isOpen) return restoredNotice(name, { done: [...files.keys()], failed: undefined, notTried: [], left: [] });
  const title = l10n.t('The window closed while files were being restored to before “{0}”', name);
  const description = l10n.t('Some files may not have been restored. Undo the restore or try again.');
  return { severity: 'warning', title, description, restore: 'undoable' };
}

/** Returns the notice about changes that an earlier window brought from a worktree. */
function broughtAgain({ name, files, isOpen }: Pick<RestoreUndo, 'name' | 'files' | 'isOpen'>): NoticeText {
  const undo = { restore: 'undoable', isBrought: true } as const;
  if (!isOpen) return { severity: 'info', title: broughtTitle(name, files.size), ...undo };
  if ([...files.values()].some(({ merging }) => merging !== undefined)) {
    const merged = l10n.t('The window closed while you merged {0} with “{1}”', fileNames([...files.keys()]), name);
    const next = l10n.t('Undo this to get your version back, or bring the changes again.');
    return { severity: 'warning', title: merged, description: next, ...undo };
  }
  const title = l10n.t('The window closed while changes were being brought from “{0}”', name);
  const description = l10n.t('Some files may not have been changed. Undo this or bring the changes again.');
  return { severity: 'warning', title, description, ...undo };
}

/** Says how many files were changed by bringing the changes of a worktree. */
export function broughtTitle(name: string, count: number): string {
  if (count === 0) return l10n.t('Brought no changes from “{0}”', name);
  return count === 1
    ? l10n.t('Brought the changes in 1 file from “{0}”', name)
    : l10n.t('Brought the changes in {0} files from “{1}”', count, name);
}

/** Returns the notice once its restore can no longer be undone. */
export function expiredNotice({ severity, title }: NoticeEntry): NoticeText {
  return { severity, title, description: l10n.t('This can no longer be undone.'), restore: 'over' };
}

/** Returns the notice after its restore was undone. A failed part can be retried. */
export function undoneNotice(outcome: WriteOutcome, isBrought = false): NoticeText {
  const { done, failed, notTried } = outcome;
  if (isBrought) return undoneBringing(outcome);
  if (failed) {
    const all = done.length + 1 + notTried.length;
    const title = l10n.t('Undid the restore of {0} of {1} files', done.length, all);
    return { severity: 'error', title, description: failureWords(outcome, failed), restore: 'undoable' };
  }
  const title =
    done.length === 1 ? l10n.t('Undid the restore of 1 file') : l10n.t('Undid the restore of {0} files', done.length);
  return { severity: 'info', title, ...leftWords(outcome), restore: 'over' };
}

/** Returns the notice after changes that were brought from a worktree were undone. */
function undoneBringing(outcome: WriteOutcome): NoticeText {
  const { done, failed, notTried } = outcome;
  if (failed) {
    const title = l10n.t('Undid the changes in {0} of {1} files', done.length, done.length + 1 + notTried.length);
    const undo = { restore: 'undoable', isBrought: true } as const;
    return { severity: 'error', title, description: failureWords(outcome, failed), ...undo };
  }
  const title =
    done.length === 1 ? l10n.t('Undid the changes in 1 file') : l10n.t('Undid the changes in {0} files', done.length);
  return { severity: 'info', title, ...leftWords(outcome), restore: 'over' };
}

/** Returns the notice after a merge was undone whose result is stored, so that this can be undone, too. */
export function againUndoable(undone: NoticeText): NoticeText {
  const words = [undone.description, l10n.t('What you had merged is stored. Undo again to get it back.')];
  return { ...undone, description: words.filter(Boolean).join(' '), restore: 'undoable', isBrought: true };
}

/** Formats file names for use in a sentence. */
export function fileNames(uris: readonly string[]): string {
  return uris.map((uri) => basename(decodeURIComponent(new URL(uri).pathname))).join(', ');
}

function failureWords({ notTried, left }: WriteOutcome, { uri, cause }: FailedFile): string {
  const first = l10n.t('Couldn’t write {0}. {1}', fileNames([uri]), cause);
  const rest = [...notTried, ...left];
  return rest.length === 0 ? first : `${first} ${staysWords(rest)}`;
}

function leftWords({ left }: WriteOutcome): { readonly description?: string } {
  return left.length === 0 ? {} : { description: staysWords(left) };
}

function staysWords(uris: readonly string[]): string {
  return uris.length === 1 ? l10n.t('Unchanged: {0}.', fileNames(uris)) : l10n.t('Unchanged: {0}.', fileNames(uris));
}

/** Returns a message's name for use in sentences. */
export function firstWords({ content }: UserMessageEntry): string {
  return titleOf(content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' '));
}
