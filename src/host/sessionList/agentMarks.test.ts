import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mementoOf } from '../../../test/unit-support/memento';
import { AgentMarks } from './agentMarks';

/** What the editor keeps of a workspace with these marks. */
const memory = (marks: unknown = {}) => mementoOf(new Map([['parley.agentSessionMarks', JSON.stringify(marks)]]));

test('marks of a session are there in the next window', async () => {
  const kept = memory();
  const marks = new AgentMarks(kept);
  await marks.set('ada\ns1', { isPinned: true });
  await marks.set('ada\ns1', { isArchived: true });
  await marks.set('ada\ns2', { isHidden: true });
  await marks.set('ada\ns1', { isPinned: false });
  await marks.set('ada\ns2', { isHidden: false });
  const next = new AgentMarks(kept);
  assert.deepEqual([next.of('ada\ns1'), next.of('ada\ns2')], [{ isArchived: true }, undefined]);
});

test('drops the oldest of more than 2,000 marks', async () => {
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`ada\n${String(at)}`, { isPinned: true }]));
  const marks = new AgentMarks(memory(many));
  await marks.set('ada\n0', { isArchived: true });
  await marks.set('ada\nnew', { isPinned: true });
  const found = ['0', '1', '2', 'new'].map((id) => marks.of(`ada\n${id}`));
  assert.deepEqual(found, [{ isPinned: true, isArchived: true }, undefined, { isPinned: true }, { isPinned: true }]);
});

test('skips damaged marks and keeps the others', () => {
  const stored = { 'a\n1': { isPinned: 'yes' }, 'a\n2': 7, 'a\n3': { isPinned: true } };
  const marks = new AgentMarks(memory(stored));
  assert.deepEqual([marks.of('a\n1'), marks.of('a\n2'), marks.of('a\n3')], [undefined, undefined, { isPinned: true }]);
  assert.equal(new AgentMarks(memory([])).of('0'), undefined);
});
