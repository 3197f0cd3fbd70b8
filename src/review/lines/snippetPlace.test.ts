import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOfSnippet } from './snippetPlace';

const before = { hasHappened: false };
const after = { hasHappened: true };

test('finds the line of a snippet before and after its change', () => {
  const snippet = { oldText: 'Hello wrld', newText: 'Hello world' };
  assert.equal(lineOfSnippet('# Notes\n\nHello wrld\n', snippet, before), 3);
  assert.equal(lineOfSnippet('# Notes\r\n\r\nSay: Hello world\r\n', snippet, after), 3);
  // A hunk with context, as Codex sends it.
  const hunk = { oldText: '\nHello wrld\n\n', newText: '\nHello world\n\n' };
  assert.equal(lineOfSnippet('# Notes\n\nHello world\n\n- x\n', hunk, after), 2);
});

test('finds a change by its other text before and after it applies', () => {
  assert.equal(lineOfSnippet('a\nb\n', { oldText: 'b', newText: 'c' }, after), 2);
  assert.equal(lineOfSnippet('a\nb\n', { oldText: 'b', newText: '' }, after), 2);
});

test('returns no line for a missing or ambiguous text', () => {
  const file = 'x\ny\nx\nz\n';
  assert.equal(lineOfSnippet(file, { oldText: 'gone', newText: 'lost' }, after), 0);
  assert.equal(lineOfSnippet(file, { oldText: 'x', newText: 'w' }, before), 0);
  assert.equal(lineOfSnippet(file, { oldText: 'x', newText: 'w' }, { ...before, near: 4 }), 3);
});

test('finds a whole file at its first line', () => {
  assert.equal(lineOfSnippet('a\nb\n', { oldText: 'a\nb\n', newText: 'a\nc\n' }, before), 1);
});
