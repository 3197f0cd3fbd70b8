import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextTail } from './textTail';

function tailOf(limit: number, ...parts: string[]): string {
  const tail = new TextTail(limit);
  for (const part of parts) tail.append(part);
  return tail.toString();
}

test('keeps a short text whole', () => {
  assert.equal(tailOf(100, 'one\n', 'two'), 'one\ntwo');
});

test('cuts a long text at the start of a line', () => {
  assert.equal(tailOf(10, 'first line\nsecond\nthird\n'), 'third\n');
  assert.equal(tailOf(10, ...Array.from('first line\nsecond\nthird\n')), 'third\n');
});

test('keeps the end of an overlong line without splitting characters', () => {
  assert.equal(tailOf(4, 'abcdefgh'), 'efgh');
  assert.equal(tailOf(3, 'ab😀cd'), 'cd');
});

test('removes terminal escapes', () => {
  assert.equal(tailOf(100, '\u001b[31mred\u001b[0m\n'), 'red\n');
});
