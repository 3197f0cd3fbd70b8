import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alternativesOf, canBothHold, holds } from './whenClause';

const written = (when: string) =>
  alternativesOf(when).map((all) => all.map(({ key, op, value }) => `${key} ${op} ${value}`.trim()).join(', '));
const agree = (one: string, other: string) =>
  alternativesOf(one).some((left) =>
    alternativesOf(other).some((right) => left.every((a) => right.every((b) => canBothHold(a, b)))),
  );

test('parses a condition into alternatives', () => {
  assert.deepEqual(written(''), ['']);
  assert.deepEqual(written("a && !b || c == 'd e' && f =~ /x|y/i"), ['a truthy, b falsy', 'c == d e, f =~ /x|y/i']);
  assert.deepEqual(written('!(a && b) && !(c in d || !e)'), [
    'a falsy, c not in d, e truthy',
    'b falsy, c not in d, e truthy',
  ]);
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

test('evaluates a condition with what is set', () => {
  const context = { on: true, off: false, at: 'a.ts', changed: ['a.ts', 'b.ts'], count: 2 };
  const expected: Readonly<Record<string, boolean>> = {
    '': true,
    on: true,
    '!on': false,
    off: false,
    '!nothing': true,
    'on && !off': true,
    'off || nothing': false,
    "at == 'a.ts'": true,
    'nothing == x': false,
    'nothing != x': true,
    'at in changed': true,
    'at not in changed': false,
    'nothing in changed': false,
    'at in nothing': false,
    'at =~ /\\.TS$/i': true,
    'at =~ /^b/': false,
    'count > 1 && count <= 2': true,
    'on && (off || at == a.ts)': true,
  };
  for (const [when, isTrue] of Object.entries(expected)) assert.equal(holds(when, context), isTrue, when);
});
