import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyView } from '../../../test/unit-support/emptyView';
import { toolCall } from '../../../test/unit-support/toolCall';
import type { SessionView, ToolCallEntry, Transcript } from './transcript';
import { planSource } from './planSource';

const request = toolCall('ask', { toolKind: 'switch_mode', turn: 2 });
const text = (text: string): ToolCallEntry['content'][number] => ({ type: 'content', content: { type: 'text', text } });
const wrote = (id: string, path: string, turn: number) =>
  toolCall(id, { turn, content: [{ type: 'diff', path, newText: 'the plan' }] });

function transcript(calls: readonly ToolCallEntry[], plans: SessionView['plans'] = []): Transcript {
  return {
    rev: 1,
    view: { ...emptyView, plans },
    order: calls.map(({ id }) => id),
    entries: new Map(calls.map((call) => [call.id, call])),
    terminals: new Map(),
  };
}

test('a plan is in the request that asks for it', () => {
  const asking = { ...request, content: [text('First'), text('Second')] };
  assert.deepEqual(planSource(transcript([wrote('a', '/plans/a.md', 2)]), asking), { text: 'First\n\nSecond' });
  assert.equal(planSource(transcript([]), { ...asking, toolKind: 'edit' }), undefined);
});

test('a plan of the session counts if the request has none', () => {
  const plans = [
    { type: 'markdown', id: '1', content: 'The plan' },
    { type: 'markdown', id: '2', content: ' ' },
  ] as unknown as SessionView['plans'];
  assert.deepEqual(planSource(transcript([], plans), { ...request, content: [text(' ')] }), { text: 'The plan' });
  const file = [{ type: 'file', id: '1', uri: 'file:///plan.md' }] as unknown as SessionView['plans'];
  assert.deepEqual(planSource(transcript([], file), request), { file: 'file:///plan.md' });
});

test('a plan may be the file written last in the turn', () => {
  const calls = [
    wrote('old', '/home/.claude/plans/old.md', 1),
    wrote('first', '/home/.claude/plans/first.md', 2),
    wrote('last', 'C:\\Users\\me\\plans\\last.md', 2),
    wrote('other', '/work/plans/readme.txt', 2),
  ];
  assert.deepEqual(planSource(transcript(calls), request), { file: 'C:\\Users\\me\\plans\\last.md' });
  assert.equal(planSource(transcript(calls.slice(0, 1)), request), undefined);
});
