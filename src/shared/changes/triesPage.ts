import type { SessionKey } from '../values/ids';
import type { HunkWish, ReviewPageHunk } from './reviewPage';
import type { Cost } from '../amounts/turnSummary';

/** How the user's command ended for a try, or that it runs. */
export type PageCheck =
  { readonly state: 'running' } | { readonly state: 'ended'; readonly exitCode?: number; readonly ms: number };

/** One try as the page shows it. */
export interface PageTry {
  readonly session: SessionKey;
  readonly agentName: string;
  /** What tells it from others of the same agent, such as “Claude 2”. Differs for each try. */
  readonly name: string;
  /** The preset or the model. Empty if neither is known. */
  readonly detail: string;
  readonly state: 'working' | 'waiting' | 'ended';
  /** Why its worktree can't be read, in words. */
  readonly problem?: string;
  readonly check?: PageCheck;
  /** The time of its turns, in milliseconds. */
  readonly ms: number;
  /** Undefined if the agent doesn't report any. */
  readonly tokens?: number;
  readonly costs: readonly Cost[];
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** What a try did to a file. */
export interface PageCell {
  readonly kind: 'added' | 'changed' | 'deleted';
  /** The path before a rename. */
  readonly from?: string;
  /** Undefined if the file isn't text. */
  readonly added?: number;
  readonly removed?: number;
  /** The position of the first other try with the same content. */
  readonly sameAs?: number;
  /** All of it, or so many of the try's changes. */
  readonly taken?: 'all' | { readonly count: number; readonly of: number };
}

export interface PageRow {
  /** Relative to the worktrees, separated by `/`. */
  readonly path: string;
  /** An entry for each try, undefined if it left the file as it was. */
  readonly cells: readonly (PageCell | undefined)[];
}

/** A side of a comparison: a try, or what all of them started from. */
export type PageSide = SessionKey | 'base';

/** The file that is open, and its sides. */
export interface PagePair {
  readonly path: string;
  readonly left: PageSide;
  readonly right: PageSide;
}

/** Whether a side changed something in a place, so that it can be taken. `unknown` if the sides have no common start. */
export type PageDifferenceState = 'same' | 'changed' | 'taken' | 'unknown';

/** A place where the two sides differ. Its removed lines are the left side's, its added lines the right side's. */
export interface PageDifference {
  readonly hunk: ReviewPageHunk;
  readonly left: PageDifferenceState;
  readonly right: PageDifferenceState;
}

export type PageDifferences =
  | {
      readonly kind: 'lines';
      readonly differences: readonly PageDifference[];
      /** What the user should know about them. */
      readonly note?: string;
    }
  | { readonly kind: 'words'; readonly words: string };

/** What the page shows of all tries. */
export interface TriesReport {
  readonly message: string;
  /** Where the tries started: a branch and a commit, in words. */
  readonly from: string;
  /** The user's command, if there is one. */
  readonly command?: string;
  readonly tries: readonly PageTry[];
  readonly rows: readonly PageRow[];
  /** What was taken: whole files, single changes of others, and of how many tries. */
  readonly taken: { readonly files: number; readonly changes: number; readonly tries: number };
}

/** A try in the list of those to clean up. */
export interface TryToCleanUp {
  readonly session: SessionKey;
  readonly agentName: string;
  readonly name: string;
  /** The name of its worktree's folder. */
  readonly folder: string;
  /** What wasn't taken. */
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** What would be lost with its worktree, in words. */
  readonly details: readonly string[];
  /** Why its worktree can't be removed now. */
  readonly reason?: string;
  /** Why it couldn't be removed. */
  readonly problem?: string;
}

/** What the user does with the tries that they selected. */
export type CleanUpWay = 'delete' | 'keepBranches';

/** The host's messages to the page. */
export type ToTriesPage =
  /** Without a report, the task is no longer stored. */
  | {
      readonly type: 'tries';
      readonly report?: TriesReport;
      readonly locale: string;
      /** The names of the user's agents and sessions, so that marks are those of the chat. */
      readonly known: readonly string[];
    }
  | { readonly type: 'differences'; readonly pair: PagePair; readonly content: PageDifferences }
  /** What the user wanted to take, undo, or clean up is done, or wasn't done. `words` are for screen readers. */
  | { readonly type: 'done'; readonly words: string }
  /** What would be lost. Without tries, the page is done with it. `stamp` tells one list from another. */
  | { readonly type: 'cleanUpList'; readonly stamp: number; readonly tries: readonly TryToCleanUp[] }
  | { readonly type: 'focusTries' };

/** The page's messages to the host. */
export type FromTriesPage =
  | { readonly type: 'ready' }
  | { readonly type: 'compare'; readonly pair: PagePair; readonly wishes: readonly HunkWish[] }
  | { readonly type: 'openBoth'; readonly pair: PagePair }
  /** Takes a whole try or one of its files into the workspace. */
  | { readonly type: 'take'; readonly session: SessionKey; readonly path?: string }
  /** Takes one side of a difference as the page shows it. */
  | {
      readonly type: 'takeDifference';
      readonly pair: PagePair;
      readonly side: 'left' | 'right';
      readonly id: string;
      readonly stamp: string;
    }
  /** Undoes what was taken of a file. */
  | { readonly type: 'undoFile'; readonly session: SessionKey; readonly path: string }
  | { readonly type: 'openSession'; readonly session: SessionKey }
  /** Asks for the list of what would be lost. */
  | { readonly type: 'cleanUp' }
  /** Removes the worktrees of tries from the list with this stamp. */
  | {
      readonly type: 'removeTries';
      readonly stamp: number;
      readonly tries: readonly SessionKey[];
      readonly way: CleanUpWay;
    }
  | { readonly type: 'check' | 'review' | 'returnToChat' };
