import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitLines } from '../lines/lines';
import { applyLineEdits } from '../lines/minimalEdits';
import { editKeepingBreaks, hasMixedBreaks } from './mixedBreaks';
import { rebaseLines } from '../lines/rebase';
import { random } from '../../../test/unit-support/testStates';

function changed(text: string, target: string): string {
  const lines = splitLines(text);
  return editKeepingBreaks(text, rebaseLines(lines, splitLines(target), lines));
}

test('detects mixed line breaks that the editor would unify', () => {
  for (const text of ['', 'a', 'a\nb\n', 'a\r\nb\r\n', '\n', '\r\n\r\n']) assert.equal(hasMixedBreaks(text), false);
  for (const text of ['a\r\nb\n', '\n\r\n', '\r\n\n', 'a\rb', 'a\rb\r', '\r\r\n'])
    assert.equal(hasMixedBreaks(text), true);
});

test('keeps the breaks of unchanged lines; new lines end like their neighbors', () => {
  assert.equal(changed('a\r\nb\nc\r\n', 'a\nB\nc\n'), 'a\r\nB\nc\r\n');
  assert.equal(changed('a\r\nb\nc\r\n', 'A\nb\nc\n'), 'A\r\nb\nc\r\n');
  assert.equal(changed('a\nb\r\nc\n', 'a\nb\nnew\nc\n'), 'a\nb\r\nnew\r\nc\n');
  assert.equal(changed('a\r\nb\nc', 'a\nb\nc\nd\n'), 'a\r\nb\nc\nd\n');
  assert.equal(changed('a\r\nb\nc\n', 'a\nb'), 'a\r\nb');
  assert.equal(changed('a\r\nb\r\nc\nd', 'first\na\nb\nc\nd'), 'first\r\na\r\nb\r\nc\nd');
  assert.equal(changed('a\rb\n', 'a\nB\n'), 'a\rB\n');
  assert.equal(changed('a\r\nb\n', ''), '');
});

test('produces the target text for random texts', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const next = random(seed);
    const text = () =>
      Array.from({ length: next(10) }, () => `${next(4)}${['\n', '\r\n', '\r', '\n'][next(4)] ?? ''}`).join('');
    const [before, target] = [text(), text()];
    const edits = rebaseLines(splitLines(before), splitLines(target), splitLines(before));
    const result = editKeepingBreaks(before, edits);
    assert.deepEqual(splitLines(result), applyLineEdits(splitLines(before), edits), `seed ${seed}`);
    assert.deepEqual(splitLines(result), splitLines(target), `seed ${seed}`);
  }
});
