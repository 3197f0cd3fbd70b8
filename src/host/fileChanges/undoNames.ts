import type { EntryId, SessionKey } from '../../shared/values/ids';
import { JsonFiles } from '../storage/jsonFiles';

/** The prefix of the file names of a session's undos. */
export function undoPrefix(session: SessionKey): string {
  return `${JsonFiles.nameOf(session).slice(0, 20)}-`;
}

/** The name of the file that stores the undo for this notice's restore. */
export function undoName(session: SessionKey, notice: EntryId): string {
  return undoPrefix(session) + JsonFiles.nameOf(notice);
}
