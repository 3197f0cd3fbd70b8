import type { SessionId, TerminalId, ToolCallId } from '../../shared/values/ids';
import { decodeTurnUsage } from '../decode/decodeTurnUsage';
import {
  asList,
  asNumber,
  asObject,
  asOneOf,
  asRaw,
  asString,
  compact,
  type JsonObject,
} from '../../shared/values/decodeValue';
import type { BackgroundWork, StateUpdate } from '../shape/sessionUpdate';

const states = ['running', 'requires_action', 'idle'] as const;

/** Reads a `state_update` (https://agentclientprotocol.com/protocol/v2/prompt-lifecycle); undefined without a state. */
export function decodeState(update: JsonObject): StateUpdate | undefined {
  if (typeof update['state'] !== 'string') return undefined;
  // A state of a later version: the agent is neither known to be idle nor known to wait.
  const state = asOneOf(update['state'], states) ?? 'unknown';
  const background = asList(update['background'], decodeBackground);
  const isIdle = state === 'idle';
  return compact({
    sessionUpdate: 'state_update' as const,
    state,
    stopReason: isIdle ? asString(update['stopReason']) : undefined,
    usage: isIdle ? decodeTurnUsage(update) : undefined,
    error: isIdle ? decodeError(update['error']) : undefined,
    background,
  });
}

function decodeError(value: unknown): StateUpdate['error'] {
  const error = asObject(value);
  if (!error) return undefined;
  const data = asRaw(error['data'] ?? undefined);
  return {
    code: asNumber(error['code']) ?? 0,
    message: asString(error['message']) ?? '',
    ...compact({ data }),
  };
}

/** Reads an item of `background`. It counts even if it isn't understood. */
function decodeBackground(value: unknown): BackgroundWork {
  const work = asObject(value);
  const id = (key: string) => asString(work?.[key]);
  switch (work?.['type']) {
    case 'terminal': {
      const terminalId = id('terminalId');
      return terminalId ? { type: 'terminal', terminalId: terminalId as TerminalId } : { type: 'unknown' };
    }
    case 'tool_call': {
      const toolCallId = id('toolCallId');
      return toolCallId ? { type: 'tool_call', toolCallId: toolCallId as ToolCallId } : { type: 'unknown' };
    }
    case 'subagent': {
      const sessionId = id('sessionId');
      return sessionId ? { type: 'subagent', sessionId: sessionId as SessionId } : { type: 'unknown' };
    }
    default:
      return { type: 'unknown' };
  }
}
