import { notification, request } from '../../acp/base/method';

/** The names in `agentInfo`. */
const qwen = ['qwen-code'];
const claude = ['@agentclientprotocol/claude-agent-acp'];
const codex = ['@agentclientprotocol/codex-acp'];

/**
 * Methods outside of the protocol that certain agents have, and what each feeds. Nothing else of Parley knows them, and everything works
 * without them: a method that an agent doesn't have, or answers in another shape, isn't used again.
 */
export const vendorMethods = {
  /** Feeds *Set Goal…* and the strip with the goal. */
  goal: { agents: [...claude, ...codex], call: request<object, unknown>('_session/goal') },
  /** Feeds *Return to Message*, which then stays in the session. */
  rewind: { agents: qwen, call: request<object, unknown>('qwen/control/session/rewind') },
  /** Feeds *Return to Message*: the turns that the agent can return to. */
  rewindSnapshots: { agents: qwen, call: request<object, unknown>('qwen/status/session/rewind_snapshots') },
  /** Feeds *Fork Session*, and the copy that *Return to Message* leaves behind. */
  branch: { agents: qwen, call: request<object, unknown>('qwen/control/session/branch') },
  /** Feeds *Ask Aside…*. */
  sideQuestion: { agents: qwen, call: request<object, unknown>('qwen/control/session/btw') },
  /** Feeds the ring after each turn, and the parts of the context in the usage of a session. */
  contextUsage: { agents: qwen, call: request<object, unknown>('qwen/status/session/context_usage') },
  /** Feed what *Check Setup* says about the agent. */
  preflight: { agents: qwen, call: request<object, unknown>('qwen/status/workspace/preflight') },
  skills: { agents: qwen, call: request<object, unknown>('qwen/status/workspace/skills') },
  hooks: { agents: qwen, call: request<object, unknown>('qwen/status/workspace/hooks') },
  /** Feeds the agent's own counts in the usage of a session. */
  stats: { agents: qwen, call: request<object, unknown>('qwen/status/session/stats') },
} as const;

export type VendorMethod = keyof typeof vendorMethods;

/** What certain agents send by themselves. */
export const vendorMessages = {
  /** Between tool calls, the agent asks for messages to add to the running turn. */
  drainQueue: { agents: qwen, call: request<unknown, object>('craft/drainMidTurnQueue') },
  /** What the user may want to say next. */
  suggestion: { agents: qwen, call: notification<unknown>('qwen/notify/session/prompt-suggestion') },
} as const;

/** Returns whether an agent is expected to have a method. */
export function isOf({ agents }: { readonly agents: readonly string[] }, agentName: string): boolean {
  return agents.includes(agentName);
}

/** Whether the agent asks for queued messages during a turn. */
export function drainsQueue(agentName: string): boolean {
  return isOf(vendorMessages.drainQueue, agentName);
}
