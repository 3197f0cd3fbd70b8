import type { SessionKey, ToolCallId } from '../shared/ids';

/** Names one hunk for as long as it waits for the user; unique within a review log. */
export type HunkId = string & { readonly __brand: 'HunkId' };

/** Who wrote something: a turn of an agent, or the user. */
export type Author = AgentAuthor | UserAuthor;

/** One turn of one agent's session, and the tool call where it is known. Turns count from 1. */
export interface AgentAuthor {
  readonly kind: 'agent';
  readonly agentName: string;
  readonly session: SessionKey;
  readonly turn: number;
  readonly toolCall?: ToolCallId;
}

/** The person at the editor, and everything outside of an agent's turn. */
export interface UserAuthor {
  readonly kind: 'user';
}

/** The one author that needs no details. */
export const user: UserAuthor = { kind: 'user' };

/** Makes the next id; ids are counted, never random, so that a test can be repeated. */
export type NextHunkId = () => HunkId;

/**
 * A change that waits for the user: lines `baseStart` up to, not including, `baseEnd` of the base have become `start` up
 * to `end` of the file. Lines count from 0. Between two hunks there is always at least one line that is the same.
 */
export interface Hunk {
  readonly id: HunkId;
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly start: number;
  readonly end: number;
  /** Everyone who had a hand in it, in the order of their first writing. */
  readonly authors: readonly Author[];
  /** Who wrote each of the lines from `start` to `end`. */
  readonly lineAuthors: readonly Author[];
}

/** Whether two authors are one: the same tool call of the same turn, or both the user. */
export function isSameAuthor(a: Author, b: Author): boolean {
  if (a === b) return true;
  if (a.kind === 'user' || b.kind === 'user') return a.kind === b.kind;
  return a.session === b.session && a.turn === b.turn && a.toolCall === b.toolCall && a.agentName === b.agentName;
}

/** All authors of several lists, each once, in order of first appearance. */
export function mergeAuthors(lists: Iterable<readonly Author[]>): Author[] {
  const all: Author[] = [];
  for (const list of lists) {
    for (const author of list) if (!all.some((known) => isSameAuthor(known, author))) all.push(author);
  }
  return all;
}

/** Whether the user wrote in this hunk, too: undoing it takes away something that they typed. */
export function hasUserText(hunk: Hunk): boolean {
  return hunk.authors.some(({ kind }) => kind === 'user');
}

/** Whether a session's turn had a hand in this change. */
export function isOfTurn(authors: readonly Author[], session: SessionKey, turn: number): boolean {
  return authors.some((author) => author.kind === 'agent' && author.session === session && author.turn === turn);
}
