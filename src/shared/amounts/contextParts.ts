/** The parts of a context, in the order in which they are shown. */
export const contextPartKinds = [
  'systemPrompt',
  'builtinTools',
  'mcpTools',
  'memoryFiles',
  'skills',
  'startupContext',
  'messages',
  'unattributed',
] as const;
export type ContextPartKind = (typeof contextPartKinds)[number];

/** What an agent's context holds, in tokens. */
export interface ContextParts {
  readonly used: number;
  readonly size: number;
  readonly parts: readonly { readonly kind: ContextPartKind; readonly tokens: number }[];
  /** When the agent compacts the conversation by itself. */
  readonly compactsAt?: number;
  /** The agent hasn't counted yet, so the numbers are its estimates. */
  readonly isEstimated: boolean;
}

/** What an agent has counted itself in a session. */
export interface AgentStats {
  /** All tokens, also those of work that isn't part of a turn. */
  readonly tokens: number;
  readonly requests: number;
  readonly toolCalls: number;
  readonly failedToolCalls: number;
}
