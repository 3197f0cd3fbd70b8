import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortCount } from './amounts';

test('a count stays short, however large it is', () => {
  assert.equal(shortCount(124_000, 'en'), '124k');
  assert.equal(shortCount(1e308, 'en'), '1E308');
  assert.ok(shortCount(123_456_789_012_345, 'en').length < 10);
});
