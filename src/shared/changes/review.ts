import type { GuardedReason } from '../limits/guardedPlaces';
import type { EntryId } from '../values/ids';

/** The changes of a session to act on: those of all turns, or of the turn with this number. */
export type ReviewScope = 'session' | number;

/** The change of a file that waits for review. */
export type ReviewFileStatus = 'modified' | 'created' | 'deleted' | 'renamed';

/**
 * Why a file's content before an agent's change isn't known: too large, ignored by rules, beyond the recording limit,
 * not readable, in a repository that is gone, changed before it was recorded, or outside the workspace.
 */
export type UnreadReason = 'large' | 'ignored' | 'budget' | 'unreadable' | 'repository' | 'late' | 'outside';

/** A file with pending changes, as the chat lists it. */
export interface ReviewFile {
  readonly uri: string;
  /** Relative to the session's folder for files in it, otherwise absolute; separated by `/`. */
  readonly path: string;
  readonly status: ReviewFileStatus;
  /** The previous name of a renamed file, in the form of `path`. */
  readonly from?: string;
  /** Why the change can't be undone: the earlier content isn't known. */
  readonly unread?: UnreadReason;
  /** A folder with all of its contents. */
  readonly isFolder?: boolean;
  /** The change is on disk, under unsaved text in the editor, which an undo doesn't touch. */
  readonly isUnderUnsaved?: boolean;
  /** A change there makes programs run, or changes what agents may do. */
  readonly guarded?: GuardedReason;
  /** Binary files have no line counts. */
  readonly isBinary: boolean;
  readonly session: ReviewCount;
  /** The counts of each turn with pending changes in this file, in order. */
  readonly turns: readonly TurnCount[];
  /** The user also edited one of the changes, so undoing asks first. */
  readonly hasUserText: boolean;
  /** Names of other agents' sessions that also changed the file. */
  readonly others: readonly string[];
}

/** What the user undid at once and can redo: in how many files, and of which turn, or the last of them. */
export interface RedoOffer {
  readonly files: number;
  readonly turn: number;
}

/** Numbers of lines added and removed. */
export interface ReviewCount {
  readonly added: number;
  readonly removed: number;
}

/**
 * Lines that a turn, given by its number in the transcript, added and removed. A change by two turns counts for both.
 */
export interface TurnCount extends ReviewCount {
  readonly turn: number;
}

/** The effects of restoring files to before a user message. */
export interface RestorePreview {
  readonly entry: EntryId;
  readonly files: readonly RestoreFile[];
  /** Paths of files that changed since then and whose earlier content was not recorded; they stay unchanged. */
  readonly unrecorded: readonly string[];
}

/** One file of a restore. */
export interface RestoreFile {
  readonly uri: string;
  /** In the form of `ReviewFile.path`. */
  readonly path: string;
  readonly action: 'write' | 'create' | 'delete';
  /** Lines that the restore adds and removes. */
  readonly counts: ReviewCount;
  /** Binary and very large files have no line counts. */
  readonly isBinary: boolean;
  /** Changes by the user or another program that would be overwritten. */
  readonly conflict?: 'editedSince' | 'editedBetween';
  /** The file decides what runs or what agents may do. */
  readonly isGuarded?: boolean;
}
