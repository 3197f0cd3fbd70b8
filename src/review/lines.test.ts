import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutLines, dominantLineBreak, isSameButLineBreaks, splitLines } from './lines';

const text = 'one\r\ntwo\nthree\r\n';

test('a whole text keeps every line break it has', () => {
  assert.equal(cutLines(text), text);
  assert.equal(cutLines(text, 1), text);
  assert.equal(cutLines(text, 0), text);
});

test('line counts from 1 and limit counts lines, each with its break', () => {
  assert.equal(cutLines(text, 2), 'two\nthree\r\n');
  assert.equal(cutLines(text, undefined, 1), 'one\r\n');
  assert.equal(cutLines(text, 2, 1), 'two\n');
  assert.equal(cutLines(text, 3, 1), 'three\r\n');
  assert.equal(cutLines('one\ntwo', 2, 1), 'two');
});

test('a limit of 0 and a line beyond the end give an empty text', () => {
  assert.equal(cutLines(text, 1, 0), '');
  assert.equal(cutLines(text, 4), '');
  assert.equal(cutLines(text, 5, 2), '');
  assert.equal(cutLines('', 1, 5), '');
});

test('the largest numbers that the protocol allows cost nothing', () => {
  assert.equal(cutLines(text, 1, 4_294_967_295), text);
  assert.equal(cutLines(text, 4_294_967_295, 4_294_967_295), '');
});

test('lines are counted as the editor counts them', () => {
  assert.deepEqual(splitLines(''), ['']);
  assert.deepEqual(splitLines('a\n'), ['a', '']);
  assert.deepEqual(splitLines('a\r\nb\rc\nd'), ['a', 'b', 'c', 'd']);
  assert.deepEqual(splitLines('a\u2028b'), ['a\u2028b']);
});

test('texts are compared without regard to their line breaks', () => {
  assert.ok(isSameButLineBreaks('a\r\nb\n', 'a\nb\r\n'));
  assert.ok(!isSameButLineBreaks('a\r\nb', 'a\r\nb\r\n'));
});

test('the line break of most lines is found', () => {
  assert.equal(dominantLineBreak('a\r\nb\r\nc\n', '\n'), '\r\n');
  assert.equal(dominantLineBreak('a\r\nb\nc\n', '\r\n'), '\n');
  assert.equal(dominantLineBreak('a', '\r\n'), '\r\n');
});
