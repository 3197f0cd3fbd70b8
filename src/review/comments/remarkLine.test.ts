import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchorAt, lineAfter, lineOfAnchor } from './remarkLine';

const lines = (text: string) => text.split(' ');

test('a line is followed through edits around it and of itself', () => {
  const cases: readonly (readonly [string, string, number, number])[] = [
    ['a b c d', 'a b c d', 2, 2],
    ['a b c d', 'x y a b c d', 2, 4],
    ['a b c d', 'c d', 2, 0],
    ['a b c d', 'a b c d e', 2, 2],
    ['a b c d', 'a b C d', 2, 2],
    ['a b c d', 'a d', 2, 1],
    ['a b c d', 'a', 3, 0],
    ['a', '', 0, 0],
  ];
  for (const [old, now, line, expected] of cases) {
    assert.equal(lineAfter(lines(old), lines(now), line), expected, `${old} → ${now}`);
  }
});

test('an anchor finds its line again, the nearest of several', () => {
  const old = ['{', 'a', '}', '{', 'b', '}', '{', 'a', '}'];
  const anchor = anchorAt(old, 4);
  assert.equal(lineOfAnchor(old, anchor, 0), 4);
  assert.equal(lineOfAnchor(['x', 'y', ...old], anchor, 4), 6);
  // Only the lines around it are left.
  assert.equal(lineOfAnchor(['{', 'a', '}', '{', 'B', '}', '{', 'a', '}'], anchor, 4), 4);
  assert.equal(lineOfAnchor(['p', 'q'], anchor, 4), 1);
  assert.equal(lineOfAnchor(['same', 'same', 'same'], anchorAt(['same'], 0), 2), 2);
});
