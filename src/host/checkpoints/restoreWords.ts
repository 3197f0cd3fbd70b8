import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { NoticeText } from '../../session/session';
import { titleOf } from '../../session/update/title';
import type { RestoreUndo } from '../../review/restoreUndo';
import type { NoticeEntry, UserMessageEntry } from '../../shared/transcript';

/** A file that could not be written, and why. */
export interface FailedFile {
  readonly uri: string;
  readonly cause: string;
}

/** What came of a restore or its undo. `left`: files that were not to be touched after all. */
export interface WriteOutcome {
  readonly done: readonly string[];
  readonly failed: FailedFile | undefined;
  /** Files that come after the one that failed. */
  readonly notTried: readonly string[];
  readonly left: readonly string[];
}

/** The notice about a restore; `name` is the message's. */
export function restoredNotice(name: string, outcome: WriteOutcome): NoticeText {
  const { done, failed, notTried } = outcome;
  const undo = done.length > 0 ? { restore: 'undoable' as const } : {};
  if (failed) {
    const all = done.length + 1 + notTried.length;
    const title =
      done.length === 0
        ? l10n.t('No file went back to before “{0}”', name)
        : l10n.t('{0} of {1} files went back to before “{2}”', done.length, all, name);
    return { severity: 'error', title, description: failureWords(outcome, failed), ...undo };
  }
  const title =
    done.length === 1
      ? l10n.t('1 file went back to before “{0}”', name)
      : l10n.t('{0} files went back to before “{1}”', done.length, name);
  return { severity: 'info', title, ...leftWords(outcome), ...undo };
}

/** The notice about a restore that an earlier window began. */
export function foundNotice({ name, files, isOpen }: RestoreUndo): NoticeText {
  if (!isOpen) return restoredNotice(name, { done: [...files.keys()], failed: undefined, notTried: [], left: [] });
  const title = l10n.t('The window was closed while files went back to before “{0}”', name);
  const description = l10n.t('Some may not have gone back. Undo the restore, or restore once more.');
  return { severity: 'warning', title, description, restore: 'undoable' };
}

/** The same notice when nothing is left to undo it with. */
export function overNotice({ severity, title }: NoticeEntry): NoticeText {
  return { severity, title, description: l10n.t('This cannot be undone any more.'), restore: 'over' };
}

/** What becomes of that notice when the restore is undone; a part that failed can be tried again. */
export function undoneNotice(outcome: WriteOutcome): NoticeText {
  const { done, failed, notTried } = outcome;
  if (failed) {
    const all = done.length + 1 + notTried.length;
    const title = l10n.t('{0} of {1} files are as they were before the restore', done.length, all);
    return { severity: 'error', title, description: failureWords(outcome, failed), restore: 'undoable' };
  }
  const title =
    done.length === 1
      ? l10n.t('Restore undone, 1 file is as it was')
      : l10n.t('Restore undone, {0} files are as they were', done.length);
  return { severity: 'info', title, ...leftWords(outcome), restore: 'over' };
}

/** Names of files, as they stand in a sentence. */
export function fileNames(uris: readonly string[]): string {
  return uris.map((uri) => basename(decodeURIComponent(new URL(uri).pathname))).join(', ');
}

function failureWords({ notTried, left }: WriteOutcome, { uri, cause }: FailedFile): string {
  const first = l10n.t('{0} was not written. {1}', fileNames([uri]), cause);
  const rest = [...notTried, ...left];
  return rest.length === 0 ? first : `${first} ${staysWords(rest)}`;
}

function leftWords({ left }: WriteOutcome): { readonly description?: string } {
  return left.length === 0 ? {} : { description: staysWords(left) };
}

function staysWords(uris: readonly string[]): string {
  return uris.length === 1
    ? l10n.t('{0} stays as it is.', fileNames(uris))
    : l10n.t('These stay as they are: {0}.', fileNames(uris));
}

/** How sentences name a message. */
export function firstWords({ content }: UserMessageEntry): string {
  return titleOf(content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' '));
}
