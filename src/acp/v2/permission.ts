import type { ToolKind } from '../../shared/transcript';
import { decodeLocation } from '../decode/decodeContent';
import { asObject, asOneOf, isAbsent, type JsonObject } from '../../shared/decodeValue';
import type { PermissionSubject } from '../dialect/dialect';
import { mcpCallOf } from '../dialect/mcpCall';
import { toolKinds } from '../../shared/toolKinds';
import { decodeContentItem, decodeToolCall } from './decodeToolCall';

/** The protocol's fields of a tool call. */
const callKeys = new Set([
  'toolCallId',
  'title',
  'name',
  'kind',
  'status',
  'content',
  'locations',
  'rawInput',
  'rawOutput',
  'capabilities',
  '_meta',
]);
const diffKeys = new Set(['type', 'changes', 'patch', '_meta']);
const changeKeys = new Set(['operation', 'path', 'oldPath', 'fileType', 'mimeType', '_meta']);
const locationKeys = new Set(['path', 'line', '_meta']);

/** Returns the details in a permission request about a tool call. */
export function toolCallSubject(toolCall: JsonObject): PermissionSubject {
  const { kind } = toolCall;
  const mcp = mcpCallOf(toolCall);
  return {
    ...(mcp ? { mcp } : {}),
    fields: decodeToolCall(toolCall)?.fields ?? {},
    kind: isAbsent(kind) ? undefined : (asOneOf<ToolKind>(kind, toolKinds) ?? 'unknown'),
    strangeParts: strangeParts(toolCall),
  };
}

/** Returns the parts of a request's tool call that the decoder skipped: fields unknown to the protocol, and malformed content. */
function strangeParts(call: JsonObject): readonly unknown[] {
  const fields = Object.entries(call).filter(([key, value]) => !callKeys.has(key) && !isAbsent(value));
  const items = (key: string, isUnderstood: (item: unknown) => boolean) => {
    const list = call[key];
    if (isAbsent(list)) return [];
    return Array.isArray(list) ? (list as readonly unknown[]).filter((item) => !isUnderstood(item)) : [list];
  };
  return [
    ...(fields.length > 0 ? [Object.fromEntries(fields)] : []),
    ...items('content', isPlainContent),
    ...items('locations', (item) => decodeLocation(item) !== undefined && hasOnly(item, locationKeys)),
  ];
}

/** Returns whether an item of content has nothing that the decoder doesn't read. A part of a diff that it can't read is in its result. */
function isPlainContent(item: unknown): boolean {
  const decoded = decodeContentItem(item);
  if (decoded.length === 0) return false;
  if (asObject(item)?.['type'] !== 'diff') return true;
  const changes = asObject(item)?.['changes'];
  return (
    hasOnly(item, diffKeys) && Array.isArray(changes) && changes.every((change: unknown) => hasOnly(change, changeKeys))
  );
}

function hasOnly(item: unknown, keys: ReadonlySet<string>): boolean {
  return Object.entries(asObject(item) ?? {}).every(([key, value]) => keys.has(key) || isAbsent(value));
}
