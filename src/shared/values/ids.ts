/** Strings that each identify one kind of thing, so that the compiler rejects mix-ups. */
type Branded<Name extends string> = string & { readonly __brand: Name };

/** A session's id from its agent; unique only per agent connection. */
export type SessionId = Branded<'SessionId'>;
/** Parley's own id of a session, unique in this window and available before the agent has sent an id. */
export type SessionKey = Branded<'SessionKey'>;
/** The id of an entry in one transcript. */
export type EntryId = Branded<'EntryId'>;
export type MessageId = Branded<'MessageId'>;
export type ToolCallId = Branded<'ToolCallId'>;
export type TerminalId = Branded<'TerminalId'>;
export type PlanId = Branded<'PlanId'>;
/** The id of an agent's request that waits for the user; unique in this window. */
export type RequestKey = Branded<'RequestKey'>;
/** Parley's own id of a configured agent: `settings:NAME` or `builtin:tour`. */
export type AgentId = Branded<'AgentId'>;

/** The id of the built-in tour agent. */
export const tourAgentId = 'builtin:tour' as AgentId;
