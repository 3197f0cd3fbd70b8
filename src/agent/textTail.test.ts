import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextTail } from './textTail';

function tailOf(limit: number, ...parts: string[]): string {
  const tail = new TextTail(limit);
  for (const part of parts) tail.append(part);
  return tail.toString();
}

test('a short text is kept whole', () => {
  assert.equal(tailOf(100, 'one\n', 'two'), 'one\ntwo');
});

test('a long text is cut at the start of a line', () => {
  assert.equal(tailOf(10, 'first line\nsecond\nthird\n'), 'third\n');
  assert.equal(tailOf(10, ...Array.from('first line\nsecond\nthird\n')), 'third\n');
});

test('a single line over the limit keeps its end, and no half characters', () => {
  assert.equal(tailOf(4, 'abcdefgh'), 'efgh');
  assert.equal(tailOf(3, 'ab😀cd'), 'cd');
});

test('terminal escapes are removed', () => {
  assert.equal(tailOf(100, '\u001b[31mred\u001b[0m\n'), 'red\n');
});
