import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionName } from './optionName';

test('an option that only promises to ask is a plain no', () => {
  const named = (name: string, kind = 'reject_once' as const) => optionName({ optionId: 'o', name, kind });
  assert.equal(named('No, and tell Codex what to do differently'), 'No');
  assert.equal(named('No, and keep planning'), 'No, and keep planning');
  assert.equal(named(' '), 'Reject');
});
