import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alternativesOf, canBothHold } from './whenClause';

const written = (when: string) =>
  alternativesOf(when).map((all) => all.map(({ key, op, value }) => `${key} ${op} ${value}`.trim()).join(', '));
const agree = (one: string, other: string) =>
  alternativesOf(one).some((left) =>
    alternativesOf(other).some((right) => left.every((a) => right.every((b) => canBothHold(a, b)))),
  );

test('parses a condition into alternatives', () => {
  assert.deepEqual(written(''), ['']);
  assert.deepEqual(written("a && !b || c == 'd e' && f =~ /x|y/i"), ['a truthy, b falsy', 'c == d e, f =~ /x|y/i']);
  assert.deepEqual(written('a && (b in c || d not in e)'), ['a truthy, b in c', 'a truthy, d not in e']);
});

test('treats conditions as exclusive only where that is certain', () => {
  assert.ok(!agree('a', '!a'));
  assert.ok(!agree("a == 'b'", 'a == c'));
  assert.ok(!agree("a == 'b'", 'a != b'));
  assert.ok(!agree('a in b', 'a not in b'));
  assert.ok(!agree('a && b', '!a || !b && c && !a'));
  assert.ok(agree('a', '!b'));
  assert.ok(agree("a == 'b'", 'a =~ /c/'));
  assert.ok(agree('a || b', '!a'));
});
