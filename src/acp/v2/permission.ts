import { asObject, type JsonObject } from '../../shared/values/decodeValue';
import type { PermissionSubject } from '../dialect/dialect';
import { callKeys, hasOnly, permissionSubject } from '../dialect/permissionSubject';
import { decodeContentItem, decodeToolCall } from './decodeToolCall';

const ownKeys = new Set([...callKeys, 'capabilities']);
const diffKeys = new Set(['type', 'changes', 'patch', '_meta']);
const changeKeys = new Set(['operation', 'path', 'oldPath', 'fileType', 'mimeType', '_meta']);

/** Returns the details in a permission request about a tool call. */
export function toolCallSubject(toolCall: JsonObject): PermissionSubject {
  const fields = decodeToolCall(toolCall)?.fields;
  return permissionSubject(toolCall, { keys: ownKeys, fields, isPlainContent });
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
