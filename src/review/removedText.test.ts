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

test('the lines that a hunk removed have no breaks', () => {
  const base = ['one\r\n', 'two\n', 'three\n', 'four'];
  assert.deepEqual(removedLines({ base, current: ['one\r\n', 'four'] }, hunk(1, 3, 1, 1)), ['two', 'three']);
  assert.deepEqual(removedLines({ base, current: ['1', ''] }, hunk(0, 1, 0, 1)), ['one']);
  assert.deepEqual(removedLines({ base: ['a\n', '\n', ''], current: [''] }, hunk(0, 3, 0, 1)), ['a', '']);
});

test('a hunk that only adds lines or changes line breaks removed none', () => {
  assert.deepEqual(removedLines({ base: ['one\n'], current: ['one\n', 'two\n'] }, hunk(1, 1, 1, 2)), []);
  assert.deepEqual(removedLines({ base: ['one\n'], current: ['one\r\n'] }, hunk(0, 1, 0, 1)), []);
  assert.deepEqual(removedLines({ base: ['one\n'], current: ['one'] }, hunk(0, 1, 0, 1)), []);
});

test('removed lines become one short line without hidden characters', () => {
  assert.deepEqual(removedText(['\tif (a)  return;', 'b', ''], 'c'), { first: 'if (a) return;', more: 2 });
  assert.deepEqual(removedText(['a\u202eb\u0000\u001b[31m'], ''), { first: 'a\\u{202e}b\\u{0}\\u{1b}[31m', more: 0 });
  const long = removedText(['😀'.repeat(200)], '');
  assert.equal(long?.first, `${'😀'.repeat(99)}…`);
  assert.equal(removedText([], 'a'), undefined);
});

test('blank lines are counted, and the first other line is shown', () => {
  assert.deepEqual(removedText(['', '  '], 'a'), { first: '', more: 2 });
  assert.deepEqual(removedText(['', 'a', 'b'], 'c'), { first: 'a', more: 2 });
});

test('white space is visible if nothing else differs from the line beside it', () => {
  assert.equal(removedText(['\ta b '], '    a b')?.first, '→a·b·');
  assert.equal(removedText(['  a b'], '  a c')?.first, 'a b');
});
