import type { ToolCallId } from '../shared/ids';
import type { SessionUpdate } from './sessionUpdate';

/** The tool call of a permission request, as updates that put the question's details over what is known. */
export interface RaisedPermission {
  readonly toolCallId: ToolCallId;
  readonly updates: readonly SessionUpdate[];
}

/**
 * How one version of the protocol tells what happens in a session: it raises that to `SessionUpdate`s, and remembers the session's ids
 * and turns for it. Nothing else in a session depends on the version.
 */
export interface Dialect {
  /** The turn that the next update belongs to, counted from 1; 0 before the first. */
  readonly turn: number;
  /** A prompt is sent: what follows belongs to a new turn, until `endTurn` only to this one. */
  beginTurn(): void;
  endTurn(): void;
  /** Another process speaks from now on: its ids are not those of the one before. */
  beginConnection(): void;
  /** The transcript is emptied for a replay of the whole session. */
  reset(): void;
  /** A session goes on that was stored: its turns and the ids that agents used there are taken. */
  takeUp(turns: number, used: Iterable<readonly [kind: string, id: string]>): void;
  /** Something else stands in the transcript now: a chunk without an id begins a new message. */
  breakText(): void;
  /** The id in the transcript of a call that the agent names. */
  callId(wireId: ToolCallId): ToolCallId;
  /** The dialect of a subagent's session: turns and ids of its own, but none that is used here. */
  ofSubagent(): Dialect;
  /** Raises `params.update` of one `session/update`; never throws, whatever it is. */
  raise(value: unknown): readonly SessionUpdate[];
  /** Raises `toolCall` of a `session/request_permission`; undefined when it names no call. */
  raisePermission(value: unknown): RaisedPermission | undefined;
}
