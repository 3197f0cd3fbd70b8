import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutLines, dominantLineBreak, isSameButLineBreaks, splitLines } from './lines';

const text = 'one\r\ntwo\nthree\r\n';

test('preserves every line break of a whole text', () => {
  assert.equal(cutLines(text), text);
  assert.equal(cutLines(text, 1), text);
  assert.equal(cutLines(text, 0), text);
});

test('counts lines from 1 and returns `limit` lines with their breaks', () => {
  assert.equal(cutLines(text, 2), 'two\nthree\r\n');
  assert.equal(cutLines(text, undefined, 1), 'one\r\n');
  assert.equal(cutLines(text, 2, 1), 'two\n');
  assert.equal(cutLines(text, 3, 1), 'three\r\n');
  assert.equal(cutLines('one\ntwo', 2, 1), 'two');
});

test('returns an empty text for limit 0 and past the end', () => {
  assert.equal(cutLines(text, 1, 0), '');
  assert.equal(cutLines(text, 4), '');
  assert.equal(cutLines(text, 5, 2), '');
  assert.equal(cutLines('', 1, 5), '');
});

test('handles the largest numbers in the protocol without extra work', () => {
  assert.equal(cutLines(text, 1, 4_294_967_295), text);
  assert.equal(cutLines(text, 4_294_967_295, 4_294_967_295), '');
});

test('counts lines as the editor does', () => {
  assert.deepEqual(splitLines(''), ['']);
  assert.deepEqual(splitLines('a\n'), ['a', '']);
  assert.deepEqual(splitLines('a\r\nb\rc\nd'), ['a', 'b', 'c', 'd']);
  assert.deepEqual(splitLines('a\u2028b'), ['a\u2028b']);
});

test('compares texts without their line breaks', () => {
  assert.ok(isSameButLineBreaks('a\r\nb\n', 'a\nb\r\n'));
  assert.ok(!isSameButLineBreaks('a\r\nb', 'a\r\nb\r\n'));
});

test('finds the line break of most lines', () => {
  assert.equal(dominantLineBreak('a\r\nb\r\nc\n', '\n'), '\r\n');
  assert.equal(dominantLineBreak('a\r\nb\nc\n', '\r\n'), '\n');
  assert.equal(dominantLineBreak('a', '\r\n'), '\r\n');
});
