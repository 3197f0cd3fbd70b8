import type { PermissionOption, ToolKind } from '../../shared/transcript';
import { decodeLocation, decodeToolCallContent } from '../decode/decodeContent';
import { decodePermissionOptions } from '../decode/decodePermissionOptions';
import { asObject, asOneOf, isAbsent } from '../../shared/decodeValue';
import type { PermissionSubject } from '../dialect/dialect';
import { invalidParams } from '../base/errors';
import { toolKinds } from '../../shared/toolKinds';
import { mcpCallOf } from '../dialect/mcpCall';
import { decodeToolCall, type DecodedToolCall } from './decodeToolCall';

/** The protocol's fields of a tool call. */
const callKeys = new Set([
  'sessionUpdate',
  'toolCallId',
  'title',
  'name',
  'kind',
  'status',
  'content',
  'locations',
  'rawInput',
  'rawOutput',
  '_meta',
]);
const diffKeys = new Set(['type', 'path', 'oldText', 'newText', 'kind', '_meta']);
const locationKeys = new Set(['path', 'line', '_meta']);

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
export function permissionSubject(toolCall: unknown): PermissionSubject {
  const kind = asObject(toolCall)?.['kind'];
  const mcp = mcpCallOf(toolCall);
  return {
    ...(mcp ? { mcp } : {}),
    fields: decodeToolCall(toolCall)?.fields ?? {},
    kind: isAbsent(kind) ? undefined : (asOneOf<ToolKind>(kind, toolKinds) ?? 'unknown'),
    strangeParts: strangeParts(toolCall),
  };
}

/**
 * Returns the parts of a request's tool call that the decoder skipped: fields unknown to the protocol, and malformed
 * content.
 */
function strangeParts(toolCall: unknown): readonly unknown[] {
  const call = asObject(toolCall) ?? {};
  const fields = Object.entries(call).filter(([key, value]) => !callKeys.has(key) && !isAbsent(value));
  const items = (key: string, isUnderstood: (item: unknown) => boolean) => {
    const list = call[key];
    if (isAbsent(list)) return [];
    return Array.isArray(list) ? (list as readonly unknown[]).filter((item) => !isUnderstood(item)) : [list];
  };
  const hasOnly = (item: unknown, keys: ReadonlySet<string>) =>
    Object.entries(asObject(item) ?? {}).every(([key, value]) => keys.has(key) || isAbsent(value));
  return [
    ...(fields.length > 0 ? [Object.fromEntries(fields)] : []),
    ...items('content', (item) => {
      const decoded = decodeToolCallContent(item);
      return decoded !== undefined && (decoded.type !== 'diff' || hasOnly(item, diffKeys));
    }),
    ...items('locations', (item) => decodeLocation(item) !== undefined && hasOnly(item, locationKeys)),
  ];
}
