import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hunk, HunkId } from '../hunks/hunk';
import { markChange, removedLines } from './removedText';

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

/** The whole text is one change. Lines have no breaks. */
const marked = (base: readonly string[], current: readonly string[]) =>
  markChange({ base, current }, hunk(0, base.length, 0, current.length));
const shown = (base: readonly string[], current: readonly string[]) =>
  marked(base, current).removed.map(({ line, first, more }) => [line, first, more]);

test('shows the words that an edited line no longer has', () => {
  const base = ['const tries = 5;', 'await fetch(url, slowly);', '  return done;'];
  const current = ['const tries = limit;', 'await fetch(url);', 'return done;'];
  assert.deepEqual(shown(base, current), [
    [0, '5', 0],
    [1, ', slowly', 0],
    [2, '··', 0],
  ]);
  const words = marked(base, current).added.map(({ line, ranges }) =>
    ranges.map(([start, end]) => current[line]?.slice(start, end)),
  );
  assert.deepEqual(words, [['limit']]);
});

test('pairs edited lines with lines that were added between', () => {
  const base = ['if (isDone) return first;'];
  const current = ['// Only then.', 'if (isDone) return second;'];
  assert.deepEqual(shown(base, current), [[1, 'first', 0]]);
});

test('shows the first of the removed lines without an edited line', () => {
  assert.deepEqual(shown(['\tif (a)  return;\n', 'b\n', '\n'], ['entirely different']), [[0, 'if (a) return;', 2]]);
  assert.deepEqual(shown(['\n', '  \n'], ['a']), [[0, '', 2]]);
  assert.deepEqual(markChange({ base: ['a', 'b'], current: ['a'] }, hunk(1, 2, 1, 1)).removed, [
    { line: 0, first: 'b', more: 0 },
  ]);
  const many = Array.from({ length: 30 }, (_, at) => `const value${at} = old;`);
  const edited = many.map((line) => line.replace('old', 'new'));
  assert.deepEqual(shown(many, edited), [[0, 'const value0 = old;', 29]]);
});

test('shows removed text short and without hidden characters', () => {
  assert.deepEqual(shown(['a\u202eb\u0000\u001b[31m'], ['c']), [[0, 'a\\u{202e}b\\u{0}\\u{1b}[31m', 0]]);
  assert.deepEqual(shown(['😀'.repeat(200)], ['c']), [[0, `${'😀'.repeat(59)}…`, 0]]);
});
