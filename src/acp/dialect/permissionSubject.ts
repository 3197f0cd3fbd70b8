import type { ToolCallFields } from '../shape/sessionUpdate';
import { asOneOf, asObject, isAbsent, type JsonObject } from '../../shared/values/decodeValue';
import { toolKinds } from '../../shared/transcript/toolKinds';
import { decodeLocation } from '../decode/decodeContent';
import type { PermissionSubject } from './dialect';
import { mcpCallOf } from './mcpCall';

const locationKeys = new Set(['path', 'line', '_meta']);

/** The fields of a tool call that all versions have. */
export const callKeys: readonly string[] = [
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
];

/** How a version reads a tool call. */
export interface CallReading {
  /** The fields that the version has. */
  readonly keys: ReadonlySet<string>;
  readonly fields: ToolCallFields | undefined;
  /** Returns whether an item of content has nothing that the decoder skips. */
  readonly isPlainContent: (item: unknown) => boolean;
}

/** Returns the tool call details in a permission request itself. */
export function permissionSubject(call: JsonObject, reading: CallReading): PermissionSubject {
  const { kind } = call;
  const mcp = mcpCallOf(call);
  return {
    ...(mcp ? { mcp } : {}),
    fields: reading.fields ?? {},
    kind: isAbsent(kind) ? undefined : (asOneOf(kind, toolKinds) ?? 'unknown'),
    strangeParts: strangeParts(call, reading),
  };
}

/**
 * Returns the parts of a request's tool call that the decoder skipped: fields unknown to the protocol, and malformed
 * content.
 */
function strangeParts(call: JsonObject, { keys, isPlainContent }: CallReading): readonly unknown[] {
  const fields = Object.entries(call).filter(([key, value]) => !keys.has(key) && !isAbsent(value));
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

/** Returns whether an object has only these fields. */
export function hasOnly(item: unknown, keys: ReadonlySet<string>): boolean {
  return Object.entries(asObject(item) ?? {}).every(([key, value]) => keys.has(key) || isAbsent(value));
}
