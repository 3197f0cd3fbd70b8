import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silenceWords } from './workingLine';

test('reports a silent agent after 15 seconds', () => {
  assert.equal(silenceWords('Claude', 14_999, false), undefined);
  assert.equal(silenceWords('Claude', 15_400, false), 'Claude hasn’t responded for 15 s. The model may be busy.');
});

test('reports a silent agent after one minute while a tool runs', () => {
  assert.equal(silenceWords('Claude', 59_000, true), undefined);
  assert.equal(silenceWords('Claude', 61_000, true), 'Claude hasn’t responded for 61 s.');
});
