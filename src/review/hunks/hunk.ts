import type { SessionKey, ToolCallId } from '../../shared/values/ids';

/** Identifies a hunk while it is pending. Unique within a review log. */
export type HunkId = string & { readonly __brand: 'HunkId' };

/** The author of a change: a turn of an agent, or the user. */
export type Author = AgentAuthor | UserAuthor;

/** One turn of an agent's session, with the tool call if known. Turns count from 1. */
export interface AgentAuthor {
  readonly kind: 'agent';
  readonly agentName: string;
  readonly session: SessionKey;
  readonly turn: number;
  readonly toolCall?: ToolCallId;
}

/** The user, and everything outside an agent's turn. */
export interface UserAuthor {
  readonly kind: 'user';
}

export const user: UserAuthor = { kind: 'user' };

/** Returns the next id. Ids are counted, not random, so that tests are repeatable. */
export type NextHunkId = () => HunkId;

/**
 * A pending change: lines `baseStart` to `baseEnd` of the base became lines `start` to `end` of the file. Lines count from 0, and ends are
 * exclusive. At least one unchanged line separates two hunks.
 */
export interface Hunk {
  readonly id: HunkId;
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly start: number;
  readonly end: number;
  /** All authors of the hunk, in order of their first contribution. */
  readonly authors: readonly Author[];
  /** The author of each line from `start` to `end`. */
  readonly lineAuthors: readonly Author[];
}

/** Returns whether two authors are the same: one tool call of one turn, or both the user. */
export function isSameAuthor(a: Author, b: Author): boolean {
  if (a === b) return true;
  if (a.kind === 'user' || b.kind === 'user') return a.kind === b.kind;
  return a.session === b.session && a.turn === b.turn && a.toolCall === b.toolCall && a.agentName === b.agentName;
}

/** Returns the authors of several lists without duplicates, in order of first appearance. */
export function mergeAuthors(lists: Iterable<readonly Author[]>): Author[] {
  const all: Author[] = [];
  for (const list of lists) {
    for (const author of list) if (!all.some((known) => isSameAuthor(known, author))) all.push(author);
  }
  return all;
}

/** Returns whether the user also wrote in this hunk, so that undoing it removes their text. */
export function hasUserText(hunk: Hunk): boolean {
  return hunk.authors.some(({ kind }) => kind === 'user');
}

/** Returns whether a turn of a session contributed to this change. */
export function isOfTurn(authors: readonly Author[], session: SessionKey, turn: number): boolean {
  return authors.some((author) => author.kind === 'agent' && author.session === session && author.turn === turn);
}
