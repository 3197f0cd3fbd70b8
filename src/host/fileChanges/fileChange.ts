import type { ByteOrderMark } from '../../review/files/byteOrderMark';
import type { FileRef } from '../../review/files/fileRef';
import type { FileState } from '../../review/files/fileState';
import type { LineEdit } from '../../review/lines/rebase';
import type { RemovedFiles } from '../workspaceFiles/removedFiles';
import type { Permissions } from '../workspaceFiles/workspaceFile';

/** A change of one of the user's files: what must be there, what comes, and who records it. */
export interface FileChange {
  readonly uri: string;
  /** What the file must still be. Undefined if a step in the editor checks its own text. */
  readonly expected: ExpectedFile | undefined;
  readonly next: NextFile;
  /** Runs both halves of the change, and records it. */
  readonly record: (steps: ChangeSteps) => Promise<void>;
  /** What follows once this is done, such as the removal of a moved file's old place. */
  readonly then?: FileChange;
}

/** The halves of a change. `apply` comes right after `check`, which rejects with `ChangeRefused`. */
export interface ChangeSteps {
  readonly check: () => Promise<void>;
  readonly apply: () => Promise<Applied>;
}

/** Whether the file was written, or its document changed in a step that the editor reports by itself. */
export type Applied = 'disk' | 'editor';

/** What a file must be, also with the text in the editor that isn't saved. */
export type ExpectedFile =
  /** `isUnsaved`: whether there is such a text, if that matters. */
  | { readonly ref: FileRef; readonly isUnsaved?: boolean }
  /** Any of these, as the review sees them. `like` says how the file is read (`presentState`). */
  | { readonly states: readonly FileState[]; readonly like: FileState | undefined };

/** What comes in a file's place. */
export type NextFile =
  | NoFile
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly target: string }
  | NextContent
  /** A text in the editor that isn't saved. The file stays. */
  | { readonly kind: 'unsaved'; readonly bytes: Uint8Array }
  /** The same content with other traits. */
  | ({ readonly kind: 'traits' } & NextTraits);

/** Nothing. */
export interface NoFile {
  readonly kind: 'absent';
  /** Where the user can find what is removed. Without it, the content has been stored. */
  readonly removed?: RemovedFiles;
  /** An empty folder is removed, or one with everything in it. */
  readonly folder?: 'empty' | 'whole';
  /** Removes the folders that were made for the file. */
  readonly tidy?: (path: string) => Promise<void>;
}

/** A file's content. */
export interface NextContent extends NextTraits {
  readonly kind: 'file';
  /** Called only if the file is written as a whole. */
  readonly bytes: () => Promise<Uint8Array>;
  /** The same as text, if it's known. */
  readonly text?: string;
  /** The text before, so that the cells of a notebook can be changed one by one. */
  readonly before?: string;
  /** Text that isn't saved gets the change as one step of the editor, or has been stored and is replaced, or stays beside the file. */
  readonly unsaved: 'edited' | 'replaced' | 'kept';
  /** The change as edits, for a document that shows the text that they are for. */
  readonly step?: EditorStep;
  /** What the file must be if it's written as a whole instead. */
  readonly whole?: ExpectedFile;
  /** Where the file is copied first, if no editor can undo the change. */
  readonly copied?: RemovedFiles;
}

/** What a file has besides its content. */
export interface NextTraits {
  readonly permissions?: Permissions;
  readonly mark?: NextMark;
  /** Follows the file while it's written. */
  readonly follower?: Follower;
}

/** A byte order mark, which an editor neither shows nor accepts in an edit. */
export interface NextMark {
  readonly mark: ByteOrderMark;
  /** Nothing but the mark changes. Otherwise, it can wait for text that isn't saved. */
  readonly isAll: boolean;
  readonly encode: (text: string) => Promise<Uint8Array>;
}

export interface EditorStep {
  /** Edits of lines without their breaks. */
  readonly edits: readonly LineEdit[];
  /** The text that the edits are for. Undefined if the document's is right in any case. */
  readonly before: string | undefined;
  /** The file's bytes afterwards, if they are known. An editor has one encoding and one kind of line break per file. */
  readonly exact: Uint8Array | undefined;
  /** The text with its line breaks, if the file gets them although its bytes aren't known. */
  readonly breaks: string | undefined;
}

/** Whoever attributes changes of a file. */
export interface Follower {
  /** From here on, the editor reports what changes. */
  readonly release: () => void;
  /** Runs a write that isn't reported. */
  readonly during: <T>(write: () => Promise<T>) => Promise<T>;
}

/** Why a file was left as it was. */
export type RefusedReason =
  /** It isn't what the plan was made for. */
  | 'changed'
  /** Its notebook has unsaved changes, so the file isn't what the user sees. */
  | 'notebook'
  /** Its document has unsaved text, and not the one that the edits are for. */
  | 'otherText'
  /** Its byte order mark can't be changed under unsaved text. */
  | 'unsavedMark'
  /** The editor couldn't decode it, so that saving it would damage it. */
  | 'encoding'
  /** The editor refused the change. */
  | 'editor';

/** The file was left as it was. Each planner has its own words for that. */
export class ChangeRefused extends Error {
  readonly reason: RefusedReason;
  /** The encoding that the file isn't valid in. */
  readonly detail: string;

  constructor(reason: RefusedReason, detail = '') {
    super(reason);
    this.reason = reason;
    this.detail = detail;
  }
}
