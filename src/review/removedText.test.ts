import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hunk, HunkId } from './hunk';
import { removedLines, removedText } from './removedText';

const hunk = (baseStart: number, baseEnd: number, start: number, end: number): Hunk => ({
  id: 'h1' as HunkId,
  baseStart,
  baseEnd,
  start,
  end,
  authors: [],
  lineAuthors: [],
});

test('lists removed lines without line breaks', () => {
  const base = ['one\r\n', 'two\n', 'three\n', 'four'];
  assert.deepEqual(removedLines({ base, current: ['one\r\n', 'four'] }, hunk(1, 3, 1, 1)), ['two', 'three']);
  assert.deepEqual(removedLines({ base, current: ['1', ''] }, hunk(0, 1, 0, 1)), ['one']);
  assert.deepEqual(removedLines({ base: ['a\n', '\n', ''], current: [''] }, hunk(0, 3, 0, 1)), ['a', '']);
});

test('removes nothing if lines are only added or breaks changed', () => {
  assert.deepEqual(removedLines({ base: ['one\n'], current: ['one\n', 'two\n'] }, hunk(1, 1, 1, 2)), []);
  assert.deepEqual(removedLines({ base: ['one\n'], current: ['one\r\n'] }, hunk(0, 1, 0, 1)), []);
  assert.deepEqual(removedLines({ base: ['one\n'], current: ['one'] }, hunk(0, 1, 0, 1)), []);
});

test('shows removed lines as one short line without hidden characters', () => {
  assert.deepEqual(removedText(['\tif (a)  return;', 'b', ''], 'c'), { first: 'if (a) return;', more: 2 });
  assert.deepEqual(removedText(['a\u202eb\u0000\u001b[31m'], ''), { first: 'a\\u{202e}b\\u{0}\\u{1b}[31m', more: 0 });
  const long = removedText(['😀'.repeat(200)], '');
  assert.equal(long?.first, `${'😀'.repeat(99)}…`);
  assert.equal(removedText([], 'a'), undefined);
});

test('counts blank lines and shows the first other line', () => {
  assert.deepEqual(removedText(['', '  '], 'a'), { first: '', more: 2 });
  assert.deepEqual(removedText(['', 'a', 'b'], 'c'), { first: 'a', more: 2 });
});

test('shows white space if nothing else differs from the adjacent line', () => {
  assert.equal(removedText(['\ta b '], '    a b')?.first, '→a·b·');
  assert.equal(removedText(['  a b'], '  a c')?.first, 'a b');
});
