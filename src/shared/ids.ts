/** Strings that name one kind of thing each, so that the compiler refuses to mix them up. */
type Branded<Name extends string> = string & { readonly __brand: Name };

/** A session's id as its agent named it; unique per agent connection only. */
export type SessionId = Branded<'SessionId'>;
/** Parley's own id of a session, unique in this window and known before the agent has named the session. */
export type SessionKey = Branded<'SessionKey'>;
/** An entry of one transcript. */
export type EntryId = Branded<'EntryId'>;
export type MessageId = Branded<'MessageId'>;
export type ToolCallId = Branded<'ToolCallId'>;
export type TerminalId = Branded<'TerminalId'>;
export type PlanId = Branded<'PlanId'>;
/** A question of the agent that waits for the user; unique in this window. */
export type RequestKey = Branded<'RequestKey'>;
/** Parley's own id of a configured agent: `settings:NAME` or `builtin:tour`. */
export type AgentId = Branded<'AgentId'>;

/** The id of the built-in tour agent. */
export const tourAgentId = 'builtin:tour' as AgentId;
