import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silenceWords } from './workingLine';

test('an agent whose model does not answer is said to be silent after 15 seconds', () => {
  assert.equal(silenceWords('Claude', 14_999, false), undefined);
  assert.equal(silenceWords('Claude', 15_400, false), 'Claude hasn’t responded for 15 s. The model may be busy.');
});

test('while a tool works the silence is the tool’s, and is mentioned after a minute', () => {
  assert.equal(silenceWords('Claude', 59_000, true), undefined);
  assert.equal(silenceWords('Claude', 61_000, true), 'Claude hasn’t responded for 61 s.');
});
