import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLongPaste, isPastedText, lineCount, mayBeCode, pastedText } from './pasted';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

test('a paste is long with more lines or text than the setting', () => {
  assert.equal(isLongPaste(lines(20), 20), false);
  assert.equal(isLongPaste(lines(21), 20), true);
  assert.equal(isLongPaste(lines(21).replaceAll('\n', '\r\n'), 20), true);
  assert.equal(isLongPaste('x'.repeat(2000), 20), false);
  assert.equal(isLongPaste('x'.repeat(2001), 20), true);
  assert.deepEqual([isLongPaste(lines(21), 21), isLongPaste('a\nb', 1)], [false, true]);
  assert.equal(isLongPaste(lines(20_000), 0), false);
});

test('counts lines with every kind of line break', () => {
  assert.deepEqual(['', 'a', 'a\n', 'a\nb', 'a\r\nb\r\n', 'a\rb', 'a\n\n'].map(lineCount), [1, 1, 1, 2, 2, 2, 2]);
});

test('treats only pastes of two or more lines as workspace code', () => {
  assert.deepEqual(['word', 'one line\n', '\n\nword\n', 'a\nb', 'if (x) {\r\n}\r\n'].map(mayBeCode), [
    false,
    false,
    false,
    true,
    true,
  ]);
});

test('attaches a long paste unchanged, titled by its number of lines', () => {
  const text = lines(34);
  const attached = pastedText(text);
  assert.equal(attached.name, 'Pasted text, 34 lines');
  assert.equal(attached.text, text);
  assert.equal(isPastedText(attached), true);
  assert.equal(pastedText('x'.repeat(3000)).name, 'Pasted text, 1 line');
  assert.equal(isPastedText({ type: 'resource', uri: 'attachment:///notes.md', name: 'notes.md', text }), false);
});
