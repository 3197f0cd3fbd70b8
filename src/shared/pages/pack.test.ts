import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId, SessionKey, ToolCallId } from '../values/ids';
import type { ToWebview } from './messages';
import type { TranscriptOp } from '../transcript/ops';
import { packMessage, unpackMessage } from './pack';
import type { ToolCallContent } from '../transcript/content';
import type { ToolCallEntry } from '../transcript/transcript';

const lines = Array.from({ length: 80 }, (_, at) => `const value${at} = compute(${at});\n`);
const edited: ToolCallContent = {
  type: 'diff',
  path: '/a.ts',
  oldText: lines.join(''),
  newText: lines.with(40, 'changed\n').join(''),
  line: 12,
};
const created: ToolCallContent = { type: 'diff', path: '/b.ts', newText: lines.join('') };
const entry: ToolCallEntry = {
  kind: 'tool_call',
  id: 'e1' as EntryId,
  turn: 1,
  toolCallId: 't1' as ToolCallId,
  title: 'Edit',
  toolKind: 'edit',
  status: 'completed',
  content: [edited, created, { type: 'unknown', raw: 1 }],
  locations: [],
  permission: { state: 'none' },
  startedAt: 1,
};
const session = 's1' as SessionKey;
const ops: TranscriptOp[] = [
  { op: 'insert', entry },
  { op: 'replace', entry },
  { op: 'patch', id: entry.id, kind: 'tool_call', fields: { content: [edited] } },
  { op: 'patch', id: entry.id, kind: 'tool_call', fields: { status: 'failed' } },
  { op: 'truncate', from: entry.id },
];
const messages: ToWebview[] = [
  { type: 'ops', session, from: 0, to: ops.length, ops },
  { type: 'older', session, entries: [entry], omitted: 3 },
  { type: 'focusComposer' },
];

test('messages are equal after packing and unpacking', () => {
  for (const message of messages) {
    const crossed = JSON.parse(JSON.stringify(packMessage(message))) as ReturnType<typeof packMessage>;
    assert.deepEqual(unpackMessage(crossed), message);
  }
});

test("sends the common part of a diff's two texts once", () => {
  for (const message of messages.slice(0, 2)) {
    const [before, after] = [JSON.stringify(message).length, JSON.stringify(packMessage(message)).length];
    assert.ok(before - after > edited.newText.length * 0.9, `${before} became ${after}`);
  }
});
