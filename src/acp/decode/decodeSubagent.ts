import type { SessionId } from '../../shared/values/ids';
import type { SubagentState } from '../../shared/transcript/subagent';
import { isAbsolutePath } from './decodeClient';
import { asObject, asOneOf, asString, compact, isAbsent } from '../../shared/values/decodeValue';
import type { SubagentUpdate } from '../shape/sessionUpdate';

const states: readonly SubagentState[] = ['running', 'requires_action', 'idle', 'unknown'];

/**
 * Reads a `subagent_update` (https://agentclientprotocol.com/rfds/subagents); undefined for other updates and without a
 * session id.
 */
export function decodeSubagent(value: unknown): SubagentUpdate | undefined {
  const update = asObject(value);
  const sessionId = asString(update?.['sessionId']);
  if (update?.['sessionUpdate'] !== 'subagent_update' || !sessionId) return undefined;
  return {
    sessionUpdate: 'subagent_update',
    sessionId: sessionId as SessionId,
    fields: compact({
      title: text(update['title']),
      description: text(update['description']),
      canCancel: decodeCapabilities(update['capabilities']),
      state: decodeState(update['state']),
      cwd: decodeFolder(update['cwd']),
    }),
  };
}

/** `null` clears the field, so it becomes an empty text. */
function text(value: unknown): string | undefined {
  return value === null ? '' : asString(value);
}

function decodeCapabilities(value: unknown): boolean | undefined {
  if (value === null) return false;
  const capabilities = asObject(value);
  return capabilities && !isAbsent(capabilities['cancel']);
}

function decodeState(value: unknown): SubagentUpdate['fields']['state'] {
  // An unconfirmed state doesn't mean that the subagent is done.
  if (value === null) return { state: 'unknown' };
  const object = asObject(value);
  if (!object) return undefined;
  const state = asOneOf(object['state'], states) ?? 'unknown';
  if (state !== 'idle') return { state };
  const { stopReason, error } = object;
  return compact({ state, stopReason: asString(stopReason), error: asString(asObject(error)?.['message']) });
}

function decodeFolder(value: unknown): string | undefined {
  const path = text(value);
  return path === undefined || path === '' || isAbsolutePath(path) ? path : undefined;
}
