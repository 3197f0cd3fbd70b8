import { notification, request } from '../../acp/base/method';
import { asObject, asString, asList, asNumber } from '../../shared/values/decodeValue';
import { decodeContextParts, decodeStats } from './decodeContext';
import { decodeHooks, decodePreflight, decodeSkills } from './decodeSetup';
import type { SessionId } from '../../shared/values/ids';

/** The names in `agentInfo`. */
const qwen = ['qwen-code'];
const claude = ['@agentclientprotocol/claude-agent-acp'];
const codex = ['@agentclientprotocol/codex-acp'];

/**
 * Methods outside of the protocol that certain agents have, and what each feeds. Nothing else of Parley knows them, and everything works
 * without them: a method that an agent doesn't have, or whose answer can't be decoded, isn't used again.
 */
export const vendorMethods = {
  /** Feeds *Set Goal…* and the strip with the goal. */
  goal: { agents: [...claude, ...codex], call: request<object, unknown>('_session/goal'), decode: asObject },
  /** Feeds *Return to Message*, which then stays in the session. */
  rewind: { agents: qwen, call: request<object, unknown>('qwen/control/session/rewind'), decode: decodeRewound },
  /** Feeds *Return to Message*: the turns that the agent can return to. */
  rewindSnapshots: {
    agents: qwen,
    call: request<object, unknown>('qwen/status/session/rewind_snapshots'),
    decode: decodeRewindTurns,
  },
  /** Feeds *Fork Session*, and the copy that *Return to Message* leaves behind. */
  branch: { agents: qwen, call: request<object, unknown>('qwen/control/session/branch'), decode: decodeBranch },
  /** Feeds *Ask Aside…*. */
  sideQuestion: { agents: qwen, call: request<object, unknown>('qwen/control/session/btw'), decode: decodeSideAnswer },
  /** Feeds the ring after each turn, and the parts of the context in the usage of a session. */
  contextUsage: {
    agents: qwen,
    call: request<object, unknown>('qwen/status/session/context_usage'),
    decode: decodeContextParts,
  },
  /** Feed what *Check Setup* says about the agent. */
  preflight: {
    agents: qwen,
    call: request<object, unknown>('qwen/status/workspace/preflight'),
    decode: decodePreflight,
  },
  skills: { agents: qwen, call: request<object, unknown>('qwen/status/workspace/skills'), decode: decodeSkills },
  hooks: { agents: qwen, call: request<object, unknown>('qwen/status/workspace/hooks'), decode: decodeHooks },
  /** Feeds the agent's own counts in the usage of a session. */
  stats: { agents: qwen, call: request<object, unknown>('qwen/status/session/stats'), decode: decodeStats },
} as const;

const longestAnswer = 50_000;

/** Reads the answer to a question aside; empty if the agent has none. */
function decodeSideAnswer(answer: unknown): string | undefined {
  const told = asObject(answer)?.['answer'];
  return told === null ? '' : asString(told)?.trim().slice(0, longestAnswer);
}

export type VendorMethod = keyof typeof vendorMethods;
export type VendorAnswer<Method extends VendorMethod> = NonNullable<
  ReturnType<(typeof vendorMethods)[Method]['decode']>
>;

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

/** Reads the numbers of the turns that the agent can return to, oldest first. */
function decodeRewindTurns(answer: unknown): readonly number[] | undefined {
  const snapshots = asList(asObject(answer)?.['snapshots'], asObject);
  const turns = snapshots?.map((snapshot) => asNumber(snapshot['turnIndex']));
  return turns?.every((turn): turn is number => Number.isInteger(turn)) === true ? turns : undefined;
}

/** Reads whether the agent has returned to a turn. */
function decodeRewound(answer: unknown): true | undefined {
  return asObject(answer)?.['success'] === true ? true : undefined;
}

/** Reads the id of a session that continues another one. */
function decodeBranch(answer: unknown): SessionId | undefined {
  const id = asString(asObject(answer)?.['newSessionId']);
  return id ? (id as SessionId) : undefined;
}
