import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownAfterReading } from './partialRead';

test('reading some lines updates only those in the known text', () => {
  const known = 'a\nb\nc\nd\ne\n';
  assert.equal(knownAfterReading(known, 'A\nb\nc\nd\nE\n', { line: 1, limit: 2 }), 'A\nb\nc\nd\ne\n');
  assert.equal(knownAfterReading(known, 'A\nb\nc\nd\nE\n', { line: 2 }), 'a\nb\nc\nd\nE\n');
  assert.equal(knownAfterReading(known, 'A\nb\nc\nd\nE\n', {}), 'A\nb\nc\nd\nE\n');
  assert.equal(knownAfterReading(known, 'A\nb\nc\nd\nE\n', { line: 9, limit: 2 }), known);
  assert.equal(knownAfterReading(known, 'A\nB\nc\nd\ne\n', { line: 2, limit: 1 }), 'a\nB\nc\nd\ne\n');
  assert.equal(knownAfterReading(known, 'a\nb\nx\ny\nc\nd\ne\n', { line: 1, limit: 3 }), 'a\nb\nx\nc\nd\ne\n');
  assert.equal(knownAfterReading(known, 'a\nb\nd\ne\n', { line: 2, limit: 2 }), 'a\nb\nd\ne\n');
  assert.equal(knownAfterReading(known, 'a\nb\nd\ne\n', { line: 3, limit: 2 }), known);
  assert.equal(knownAfterReading('a\r\nb', 'a\nb', { line: 2 }), 'a\nb');
});
