import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId, SessionKey, ToolCallId } from '../values/ids';
import type { PageState, ToWebview } from './messages';
import type { TranscriptOp } from '../transcript/ops';
import { Packer, Unpacker } from './pack';
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

function connect() {
  const [packer, unpacker] = [new Packer(), new Unpacker()];
  const sent: string[] = [];
  const cross = (message: ToWebview) => {
    const packed = packer.pack(message);
    if (!packed) return undefined;
    sent.push(JSON.stringify(packed));
    return unpacker.unpack(JSON.parse(sent.at(-1)!) as typeof packed);
  };
  return { packer, sent, cross };
}

test('messages are equal after packing and unpacking', () => {
  const { cross } = connect();
  for (const message of messages) assert.deepEqual(cross(message), message);
});

test("sends the common part of a diff's two texts once", () => {
  for (const message of messages.slice(0, 2)) {
    const [before, after] = [JSON.stringify(message).length, JSON.stringify(new Packer().pack(message)).length];
    assert.ok(before - after > edited.newText.length * 0.9, `${before} became ${after}`);
  }
});

const page = {
  trusted: true,
  folder: 'harbor',
  presets: [{ name: 'Docs' }],
  sessions: [{ session, title: 'One' }],
  active: session,
} as unknown as PageState;

test('sends of a page state only what has changed', () => {
  const { sent, cross } = connect();
  cross({ type: 'page', page });
  const { presets, ...withoutPresets } = page;
  assert.ok(presets);
  const changed: PageState = { ...withoutPresets, isInRepository: true, active: '' };
  assert.deepEqual(cross({ type: 'page', page: changed }), { type: 'page', page: changed });
  assert.equal(sent.at(-1)?.includes('harbor'), false);
  assert.deepEqual(cross({ type: 'page', page }), { type: 'page', page });
});

test('sends no page state that the page has', () => {
  const { sent, cross } = connect();
  cross({ type: 'page', page });
  cross({ type: 'page', page: structuredClone(page) });
  assert.equal(sent.length, 1);
});

test('sends the whole page state to a page that loaded again', () => {
  const { packer, sent, cross } = connect();
  cross({ type: 'page', page });
  packer.reset();
  assert.deepEqual(cross({ type: 'page', page }), { type: 'page', page });
  assert.equal(sent[0], sent[1]);
});
