import type { EntryId, ToolCallId } from '../../src/shared/values/ids';
import type { ToolCallEntry } from '../../src/shared/transcript/transcript';

/** Returns a pending tool call of the first turn that tests extend: `toolCall('a', { status: 'failed' })`. */
export function toolCall(id: string, fields: Partial<ToolCallEntry> = {}): ToolCallEntry {
  return {
    id: id as EntryId,
    turn: 1,
    kind: 'tool_call',
    toolCallId: id as ToolCallId,
    title: `Call ${id}`,
    toolKind: 'execute',
    status: 'pending',
    content: [],
    locations: [],
    permission: { state: 'none' },
    startedAt: 0,
    ...fields,
  };
}
