import type { ReviewFileStatus, UnreadReason } from './review';
import type { GuardedReason } from '../limits/guardedPlaces';
import type { SessionKey } from '../values/ids';

/** The changes that a review page shows: all, those of a session, or those of one of its turns. */
export interface ReviewPageScope {
  readonly session?: SessionKey;
  readonly turn?: number;
}

/** A file with changes that aren't decided yet. */
export interface ReviewPageFile {
  readonly uri: string;
  /** Relative to the workspace for files in it, otherwise absolute; separated by `/`. */
  readonly path: string;
  readonly status: ReviewFileStatus;
  /** The previous name of a renamed file, in the form of `path`. */
  readonly from?: string;
  /** Why the change can't be undone. */
  readonly unread?: UnreadReason;
  readonly isFolder?: boolean;
  readonly isUnderUnsaved?: boolean;
  readonly guarded?: GuardedReason;
  readonly isBinary: boolean;
  readonly hasUserText: boolean;
  readonly added: number;
  readonly removed: number;
  /** The number of changes that aren't decided yet, and of all since the file is on the page. */
  readonly left: number;
  readonly total: number;
  /** Changes whenever the file or its changes do. */
  readonly revision: number;
}

/** What became of a file's changes. */
export type ReviewOutcome = 'kept' | 'undone';

/** A file without changes that aren't decided. */
export interface DecidedFile {
  readonly uri: string;
  readonly path: string;
  readonly outcome: ReviewOutcome;
  /** How many changes of a kept file were undone. */
  readonly undone?: number;
}

/** A change of a file's content: `removed` lines became `added` lines, without their breaks. */
export interface ReviewPageHunk {
  readonly id: string;
  /** Differs as soon as any of the change's lines does. */
  readonly stamp: string;
  /** The lines of the first removed and the first added line. They count from 1. */
  readonly oldLine: number;
  readonly newLine: number;
  /** The lines after the last removed and the last added line. */
  readonly oldEnd: number;
  readonly newEnd: number;
  /** The unchanged lines around it. */
  readonly before: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly after: readonly string[];
  /** Numbers of unchanged lines before it, and after the last change of a file, that weren't sent. */
  readonly hidden: number;
  readonly hiddenAfter: number;
  /** The number of unchanged lines that are shown only because the page asked for them. */
  readonly unfolded: number;
  /** The number of changed lines that weren't sent. */
  readonly cut: number;
  /** The line above it that names its function or section, or empty. */
  readonly heading: string;
  /** The language of its lines, if it isn't that of the file's name. */
  readonly language?: string;
  /** What changed besides lines, such as the name, in words. */
  readonly words?: string;
  readonly hasUserText: boolean;
}

/** An image before or after a change. */
export interface ReviewImage {
  /** A data URL. */
  readonly source: string;
  /** In bytes. */
  readonly size: number;
}

/** What a page shows of a file: changed lines, images, or only words. */
export type ReviewContent =
  | { readonly kind: 'lines'; readonly hunks: readonly ReviewPageHunk[] }
  | { readonly kind: 'images'; readonly before?: ReviewImage; readonly after?: ReviewImage }
  | { readonly kind: 'words'; readonly words: string };

/** How much of a hunk a page wants to see beyond the usual. */
export interface HunkWish {
  readonly id: string;
  /** All unchanged lines before it, and after it if it's the last one. */
  readonly isUnfolded?: boolean;
  /** The number of changed lines. */
  readonly lines?: number;
}

/** A file or one of its hunks as the page shows it. The host decides nothing that has changed since. */
export interface SeenChange {
  readonly uri: string;
  readonly revision: number;
  readonly hunk?: { readonly id: string; readonly stamp: string };
}

/** The user's comment on a change, or an agent's remark. */
export interface PageComment {
  readonly id: string;
  /** Empty for a remark that has no place. */
  readonly uri: string;
  /** In the form of a file's `path`. Of a remark without a place, what its agent wrote. */
  readonly path: string;
  readonly hunk: string;
  /** The line where its change begins, or of a remark its own, counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly state: { readonly kind: 'draft' } | { readonly kind: 'sent'; readonly agentName: string };
  /** A later turn has changed the lines that it is about. */
  readonly isOutdated: boolean;
  /** The agent that gets it: the one whose change it is about. */
  readonly target: string;
  /** The comment or remark that it answers. */
  readonly replyTo?: string;
  /** A draft of the user that isn't sent with the others. */
  readonly isHeld?: true;
  /** Set if it is a remark: its agent, and whether it is sent with the drafts. */
  readonly remark?: { readonly agentName: string; readonly isChosen: boolean };
}

/** The host's messages to a review page. */
export type ToReviewPage =
  | {
      readonly type: 'review';
      /** The page starts from scratch with this message. */
      readonly isFresh: boolean;
      /** The authors of the changes. */
      readonly agents: readonly string[];
      /** The names of the user's agents and sessions, so that marks are those of the chat. */
      readonly known: readonly string[];
      /** The title of the session, if the page shows those of one. */
      readonly title?: string;
      readonly isWriting: boolean;
      readonly changed: readonly ReviewPageFile[];
      readonly decided: readonly DecidedFile[];
      /** Files that are neither left nor decided any more. */
      readonly gone: readonly string[];
      readonly canUndoLast: boolean;
      /** The files are in a worktree, and what is changed there can be brought here. */
      readonly canBring?: true;
    }
  | {
      readonly type: 'reviewContent';
      readonly uri: string;
      readonly revision: number;
      readonly content: ReviewContent;
    }
  /** A decision wasn't carried out, because these files have changed since the page showed them. */
  | { readonly type: 'reviewChanged'; readonly uris: readonly string[] }
  /** The last decision was carried out, as far as it could be. */
  | { readonly type: 'decided' }
  /** The user's comments, those on files of other pages too. */
  | { readonly type: 'comments'; readonly comments: readonly PageComment[] }
  /** Whether a session got the comment, or it became a draft. */
  | {
      readonly type: 'commentSent';
      readonly uri: string;
      readonly id: string;
      readonly isSent: boolean;
      readonly isDraft?: true;
    }
  /** Whether the text of an edited comment was saved. */
  | { readonly type: 'commentEdited'; readonly comment: string; readonly isSaved: boolean }
  | { readonly type: 'focusReview' };

/** A review page's messages to the host. */
export type FromReviewPage =
  | { readonly type: 'ready' }
  | { readonly type: 'readFile'; readonly uri: string; readonly wishes: readonly HunkWish[] }
  | { readonly type: 'decide'; readonly action: 'keep' | 'undo'; readonly changes: readonly SeenChange[] }
  | { readonly type: 'reviewAgain'; readonly uri: string }
  | { readonly type: 'undoLast' }
  /** The user begins a comment on a change, which may be gone when they send it. With a comment's `id`, it is a reply to that one. */
  | { readonly type: 'beginComment'; readonly uri: string; readonly id: string }
  | { readonly type: 'comment'; readonly uri: string; readonly id: string; readonly text: string }
  /** Adds a comment to the drafts. */
  | { readonly type: 'addDraft'; readonly uri: string; readonly id: string; readonly text: string }
  | { readonly type: 'sendDrafts' }
  /** Sends one draft or remark with its replies, whether it is chosen or not: to the session that it is about, or to one that the user selects. */
  | { readonly type: 'deleteDraft' | 'sendComment' | 'sendCommentTo'; readonly comment: string }
  /** Changes the text of a comment. If it is gone by then, it becomes a new draft on the change or comment with the `id`. */
  | {
      readonly type: 'editComment';
      readonly comment: string;
      readonly uri: string;
      readonly id: string;
      readonly text: string;
    }
  /** Chooses whether a draft or remark is sent with the others. */
  | { readonly type: 'chooseRemark'; readonly comment: string; readonly isChosen: boolean }
  /** Lets another agent review the changes of the page. */
  | { readonly type: 'askReviewer' }
  /** Opens the file at a change, its diff, or all changes in VS Code's own editor. */
  | { readonly type: 'openFile'; readonly uri: string; readonly id?: string }
  | { readonly type: 'openComment'; readonly comment: string }
  | { readonly type: 'openDiff'; readonly uri: string }
  | { readonly type: 'openMultiDiff' }
  | { readonly type: 'commit' }
  | { readonly type: 'bringChanges' }
  | { readonly type: 'returnToChat' };
