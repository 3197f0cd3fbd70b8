import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../test/unit-support/growth';
import { lineOfSnippet } from './snippetPlace';

const before = { hasHappened: false };
const after = { hasHappened: true };

test('a snippet begins at its line of the file, before the change and after it', () => {
  const snippet = { oldText: 'Hello wrld', newText: 'Hello world' };
  assert.equal(lineOfSnippet('# Notes\n\nHello wrld\n', snippet, before), 3);
  assert.equal(lineOfSnippet('# Notes\r\n\r\nSay: Hello world\r\n', snippet, after), 3);
  // A hunk with its context, as Codex sends it.
  const hunk = { oldText: '\nHello wrld\n\n', newText: '\nHello world\n\n' };
  assert.equal(lineOfSnippet('# Notes\n\nHello world\n\n- x\n', hunk, after), 2);
});

test('a change that is not in the file any more, or not yet, is found by its other text', () => {
  assert.equal(lineOfSnippet('a\nb\n', { oldText: 'b', newText: 'c' }, after), 2);
  assert.equal(lineOfSnippet('a\nb\n', { oldText: 'b', newText: '' }, after), 2);
});

test('nobody knows the line of what is not there, or is there more than once and not named', () => {
  const file = 'x\ny\nx\nz\n';
  assert.equal(lineOfSnippet(file, { oldText: 'gone', newText: 'lost' }, after), 0);
  assert.equal(lineOfSnippet(file, { oldText: 'x', newText: 'w' }, before), 0);
  assert.equal(lineOfSnippet(file, { oldText: 'x', newText: 'w' }, { ...before, near: 4 }), 3);
});

test('a whole file begins at its first line', () => {
  assert.equal(lineOfSnippet('a\nb\n', { oldText: 'a\nb\n', newText: 'a\nc\n' }, before), 1);
});

test('a long file of equal lines is searched in time', () => {
  assertLinear((length) => {
    assert.equal(lineOfSnippet('x\n'.repeat(length), { oldText: 'x', newText: 'y' }, before), 0);
  }, 500_000);
});
