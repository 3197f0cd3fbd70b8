import type { ToolCallContent } from '../../shared/transcript/content';
import type { ToolCallId } from '../../shared/values/ids';
import type { ToolCallStatus } from '../../shared/transcript/transcript';
import { decodeLocation, decodeToolCallContent, withPlan } from '../decode/decodeContent';
import { asList, asObject, asOneOf, asRaw, asString, compact, isAbsent } from '../../shared/values/decodeValue';
import type { ToolCallFields } from '../shape/sessionUpdate';
import { toolKinds } from '../../shared/transcript/toolKinds';
import { decodeDiff } from './decodeDiff';

const statuses: readonly ToolCallStatus[] = ['pending', 'in_progress', 'paused', 'completed', 'failed', 'cancelled'];

/** A `tool_call_update` (https://agentclientprotocol.com/protocol/v2/tool-calls), or the one in a permission request. */
export interface DecodedToolCall {
  readonly toolCallId: ToolCallId;
  /** Without `parent`, which depends on the other calls. */
  readonly fields: ToolCallFields;
  /** The id of the parent call, as Claude reports it. */
  readonly parentToolUseId: string | undefined;
}

/**
 * Reads a tool call; undefined without an id. Absent and malformed fields stay unchanged. Unlike in version 1, `null`
 * clears a field.
 */
export function decodeToolCall(value: unknown): DecodedToolCall | undefined {
  const call = asObject(value);
  const toolCallId = asString(call?.['toolCallId']);
  if (!call || !toolCallId) return undefined;
  const claude = asObject(asObject(call['_meta'])?.['claudeCode']);
  const cleared = <T>(key: string, empty: T, read: (given: unknown) => T | undefined): T | undefined => {
    if (call[key] === undefined) return undefined;
    return call[key] === null ? empty : read(call[key]);
  };
  return {
    toolCallId: toolCallId as ToolCallId,
    fields: compact({
      title: cleared('title', '', asString),
      name: asString(call['name']) ?? asString(claude?.['toolName']),
      toolKind: cleared('kind', 'other', (kind) => asOneOf(kind, toolKinds) ?? 'other'),
      // An unknown status of a later version isn't the end.
      status: cleared('status', 'pending', (status) => asOneOf(status, statuses) ?? 'in_progress'),
      content: withPlan(call, call['content'] === null ? [] : asList(call['content'], decodeContentItem)?.flat()),
      locations: cleared('locations', [], (locations) => asList(locations, decodeLocation)),
      rawInput: cleared<unknown>('rawInput', null, asRaw),
      rawOutput: cleared<unknown>('rawOutput', null, asRaw),
      canCancel: cleared('capabilities', false, (given) => !isAbsent(asObject(given)?.['cancel'])),
    }),
    parentToolUseId: asString(claude?.['parentToolUseId']),
  };
}

/** Reads an item of content. A diff becomes one item for each changed place. */
export function decodeContentItem(value: unknown): readonly ToolCallContent[] {
  const item = asObject(value);
  if (item?.['type'] === 'diff') return decodeDiff(item);
  const decoded = decodeToolCallContent(value);
  return decoded ? [decoded] : [];
}
