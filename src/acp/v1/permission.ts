import type { PermissionOption } from '../../shared/transcript/transcript';
import { decodeToolCallContent } from '../decode/decodeContent';
import { decodePermissionOptions } from '../decode/decodePermissionOptions';
import { asObject } from '../../shared/values/decodeValue';
import type { PermissionSubject } from '../dialect/dialect';
import { invalidParams } from '../base/errors';
import { callKeys, hasOnly, permissionSubject } from '../dialect/permissionSubject';
import { decodeToolCall, type DecodedToolCall } from './decodeToolCall';

const ownKeys = new Set([...callKeys, 'sessionUpdate']);
const diffKeys = new Set(['type', 'path', 'oldText', 'newText', 'kind', '_meta']);

/** A `session/request_permission` (https://agentclientprotocol.com/protocol/tool-calls#requesting-permission). */
export interface PermissionParams {
  readonly call: DecodedToolCall;
  /** As the agent sent it. */
  readonly toolCall: unknown;
  readonly options: readonly PermissionOption[];
}

export function decodePermission(params: unknown): PermissionParams {
  const object = asObject(params);
  const options = decodePermissionOptions(object?.['options']);
  const toolCall = object?.['toolCall'];
  const call = decodeToolCall(toolCall);
  if (!call) throw invalidParams('toolCall must have a toolCallId', { field: 'toolCall' });
  return { call, toolCall, options };
}

/** Returns the tool call details in the request itself. */
export function toolCallSubject(toolCall: unknown): PermissionSubject {
  return permissionSubject(asObject(toolCall) ?? {}, {
    keys: ownKeys,
    fields: decodeToolCall(toolCall)?.fields,
    isPlainContent: (item) => {
      const decoded = decodeToolCallContent(item);
      return decoded !== undefined && (decoded.type !== 'diff' || hasOnly(item, diffKeys));
    },
  });
}
