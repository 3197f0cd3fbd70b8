import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedLine } from './movedLine';

test('follows a line when text above it changes', () => {
  assert.equal(movedLine(5, [{ start: 1, end: 1, breaks: 2 }]), 7);
  assert.equal(movedLine(5, [{ start: 1, end: 4, breaks: 0 }]), 2);
  assert.equal(movedLine(5, [{ start: 6, end: 9, breaks: 0 }]), 5);
  assert.equal(movedLine(5, [{ start: 5, end: 5, breaks: 3 }]), 5);
  const both = [
    { start: 3, end: 4, breaks: 0 },
    { start: 0, end: 0, breaks: 1 },
  ];
  assert.equal(movedLine(5, both), 5);
});

test('moves a line inside a replaced text to its start', () => {
  assert.equal(movedLine(5, [{ start: 3, end: 8, breaks: 9 }]), 3);
});
