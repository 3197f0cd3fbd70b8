import type { EntryId, SessionKey } from '../../shared/ids';
import { JsonFiles } from '../storage/jsonFiles';

/** With this begin the names of the files that hold the undos of a session's restores. */
export function undoPrefix(session: SessionKey): string {
  return `${JsonFiles.nameOf(session).slice(0, 20)}-`;
}

/** The file that holds the undo of the restore that this notice tells of. */
export function undoName(session: SessionKey, notice: EntryId): string {
  return undoPrefix(session) + JsonFiles.nameOf(notice);
}
