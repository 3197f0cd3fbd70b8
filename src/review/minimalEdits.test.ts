import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines } from './lineDiff';
import { minimalEdits, type TextChange } from './minimalEdits';
import { rebaseLines } from './rebase';

function changes(before: string, after: string): TextChange[] {
  const lines = (text: string) => text.split('\n');
  return minimalEdits(lines(before), rebaseLines(lines(before), lines(after), lines(before)));
}

/** Applies changes as an editor does: all positions are those of the text before. */
function apply(before: string, list: readonly TextChange[]): string {
  const starts = [0];
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = (line: number, character: number) => (starts[line] ?? before.length) + character;
  let result = '';
  let at = 0;
  for (const { startLine, startCharacter, endLine, endCharacter, text } of list) {
    result += before.slice(at, offset(startLine, startCharacter)) + text;
    at = offset(endLine, endCharacter);
  }
  return result + before.slice(at);
}

test('only the characters that differ are replaced', () => {
  assert.deepEqual(changes('a\nconst x = 1;\nb', 'a\nconst x = 22;\nb'), [
    { startLine: 1, startCharacter: 10, endLine: 1, endCharacter: 11, text: '22' },
  ]);
});

test('lines of one block that stay as they are do not belong to a change', () => {
  assert.equal(changes('a\nb\nc', 'A\nb\nC').length, 2);
});

test('new lines go in front of a line, so that a cursor at the end of the line before stays there', () => {
  assert.deepEqual(changes('a\nb', 'a\nnew\nb'), [
    { startLine: 1, startCharacter: 0, endLine: 1, endCharacter: 0, text: 'new\n' },
  ]);
});

test('lines at the end come and go with the break before them', () => {
  assert.equal(apply('a', changes('a', 'a\nb')), 'a\nb');
  assert.equal(apply('a\nb', changes('a\nb', 'a')), 'a');
  assert.equal(apply('a\n', changes('a\n', 'a')), 'a');
  assert.equal(apply('a\nb\nc', changes('a\nb\nc', '')), '');
  assert.equal(apply('', changes('', 'a\nb\n')), 'a\nb\n');
});

test('a surrogate pair is never cut in two', () => {
  // 😀 and 😁 differ in their second half, 😀 and 🨀 in their first.
  assert.deepEqual(changes('x 😀 y', 'x 😁 y'), [
    { startLine: 0, startCharacter: 2, endLine: 0, endCharacter: 4, text: '😁' },
  ]);
  assert.deepEqual(changes('x \u{1f600} y', 'x \u{1fa00} y'), [
    { startLine: 0, startCharacter: 2, endLine: 0, endCharacter: 4, text: '\u{1fa00}' },
  ]);
});

test('random texts come out exactly as wanted', () => {
  let seed = 7;
  const next = (limit: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const text = () =>
    Array.from({ length: next(12) }, () => ['', 'a', 'ab', '😀b', '😁b', 'abc'][next(6)] ?? '').join('\n');
  for (let round = 0; round < 1000; round++) {
    const [before, after] = [text(), text()];
    const list = changes(before, after);
    assert.equal(apply(before, list), after, JSON.stringify([before, after]));
    assert.equal(list.length === 0, diffLines(before.split('\n'), after.split('\n')).length === 0);
  }
});
