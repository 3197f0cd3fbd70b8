import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyView } from '../../../test/unit-support/emptyView';
import { toolCall } from '../../../test/unit-support/toolCall';
import type { EntryId, TerminalId } from '../values/ids';
import { applyOps, coalesce, createTranscript, type TranscriptOp } from './ops';

const a = 'a' as EntryId;
const b = 'b' as EntryId;
const append = (id: EntryId, block: number, text: string): TranscriptOp => ({ op: 'appendText', id, block, text });
const output = (id: string, data: string): TranscriptOp => ({ op: 'terminalOutput', id: id as TerminalId, data });
const patch = (id: EntryId, title: string): TranscriptOp => ({ op: 'patch', id, kind: 'tool_call', fields: { title } });

test('joins text only of one block of one entry', () => {
  assert.deepEqual(coalesce([append(a, 0, '1'), append(a, 0, '2')]), [append(a, 0, '12')]);
  for (const others of [
    [append(a, 0, '1'), append(b, 0, '2')],
    [append(a, 0, '1'), append(a, 1, '2')],
  ])
    assert.deepEqual(coalesce(others), others);
});

test('joins output only of one terminal', () => {
  assert.deepEqual(coalesce([output('t', '1'), output('t', '2')]), [output('t', '12')]);
  const others = [output('t', '1'), output('u', '2')];
  assert.deepEqual(coalesce(others), others);
});

test('joins patches of the view, and of one entry', () => {
  const views = (one: object): TranscriptOp => ({ op: 'view', fields: one });
  assert.deepEqual(coalesce([views({ title: 'x' }), views({ plans: [] })]), [views({ title: 'x', plans: [] })]);
  assert.deepEqual(coalesce([patch(a, '1'), patch(a, '2')]), [patch(a, '2')]);
  for (const others of [
    [patch(a, '1'), patch(b, '2')],
    [views({ title: 'x' }), patch(a, '1')],
    [patch(a, '1'), views({ title: 'x' })],
    [append(a, 0, '1'), patch(a, '1'), append(a, 0, '2')],
  ])
    assert.deepEqual(coalesce(others), others);
});

test('patches an entry only as what it is, and summarizes no login', () => {
  const transcript = createTranscript(emptyView);
  const login = { kind: 'login', id: b, turn: 1 } as never;
  const summary = { outcome: 'completed' } as never;
  applyOps(transcript, [
    { op: 'insert', entry: toolCall('a') },
    { op: 'insert', entry: login },
    patch(a, 'Read'),
    { op: 'patch', id: a, kind: 'notice', fields: { title: 'Another' } },
    { op: 'summarize', id: a, summary },
    { op: 'summarize', id: b, summary },
  ]);
  const entry = transcript.entries.get(a);
  assert.ok(entry?.kind === 'tool_call');
  assert.deepEqual([entry.title, entry.turnSummary], ['Read', summary]);
  assert.equal(transcript.entries.get(b), login);
});
