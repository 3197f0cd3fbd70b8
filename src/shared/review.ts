import type { GuardedReason } from './guardedPlaces';
import type { EntryId } from './ids';

/** Which changes of a session are meant: those of all its turns, or of the turn of that number. */
export type ReviewScope = 'session' | number;

/** What has become of a file that waits for review. */
export type ReviewFileStatus = 'modified' | 'created' | 'deleted' | 'renamed';

/**
 * Why nobody knows what a file held before an agent changed it: too large, left out by ignore rules, over what is recorded at a time, not
 * readable, or outside of the workspace.
 */
export type UnreadReason = 'large' | 'ignored' | 'budget' | 'unreadable' | 'outside';

/** A file with changes that wait for the user, as the chat lists it. */
export interface ReviewFile {
  readonly uri: string;
  /** Relative to the session's folder where it lies below, else absolute; with `/` between its parts. */
  readonly path: string;
  readonly status: ReviewFileStatus;
  /** The name that a renamed file had, like `path`. */
  readonly from?: string;
  /** Why it cannot be undone: what it held is not known. */
  readonly unread?: UnreadReason;
  /** It is a folder with all that is in it. */
  readonly isFolder?: boolean;
  /** A change there makes programs run, or changes what agents may do. */
  readonly guarded?: GuardedReason;
  /** Binary files have no lines to count. */
  readonly isBinary: boolean;
  readonly session: ReviewCount;
  /** The same for each turn of the session that has changes waiting in this file, the first turn first. */
  readonly turns: readonly TurnCount[];
  /** The user wrote in one of the changes, too: undoing asks first. */
  readonly hasUserText: boolean;
  /** Names of other agents' sessions that had a hand in it. */
  readonly others: readonly string[];
}

/** Lines added and removed. */
export interface ReviewCount {
  readonly added: number;
  readonly removed: number;
}

/** Lines that a turn, by its number in the transcript, added and removed; a change of two turns counts for both. */
export interface TurnCount extends ReviewCount {
  readonly turn: number;
}

/** What a restore to before a user's message would do. */
export interface RestorePreview {
  readonly entry: EntryId;
  readonly files: readonly RestoreFile[];
  /** Paths of files that changed since then and of which the earlier content was not recorded; they stay as they are. */
  readonly unrecorded: readonly string[];
}

/** One file of a restore. */
export interface RestoreFile {
  readonly uri: string;
  /** As in `ReviewFile`. */
  readonly path: string;
  readonly action: 'write' | 'create' | 'delete';
  /** Lines that the restore adds and removes. */
  readonly counts: ReviewCount;
  /** Binary and very large files have no lines to count. */
  readonly isBinary: boolean;
  /** Work of the user, or of somebody else, that would be overwritten. */
  readonly conflict?: 'editedSince' | 'editedBetween';
}
