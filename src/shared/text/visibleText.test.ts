import assert from 'node:assert/strict';
import test from 'node:test';
import { hasHiddenText, shortenMiddle, showHidden, showHiddenOnOneLine } from './visibleText';

test('spells out bidirectional, zero-width, and tag characters', () => {
  assert.equal(showHidden('a\u202Eb\u200Bc\u{E0041}d\u0007'), 'a\\u{202e}b\\u{200b}c\\u{e0041}d\\u{7}');
  assert.equal(hasHiddenText('a\u2066b'), true);
});

test('spells out unusual spaces', () => {
  assert.equal(showHidden('rm\u00A0-rf\u3164x'), 'rm\\u{a0}-rf\\u{3164}x');
});

test('leaves common text unchanged', () => {
  const text = 'naïve 文字 🙂 tab\tline\nend';
  assert.equal(showHidden(text), text);
  assert.equal(hasHiddenText(text), false);
});

test('keeps one line on one line', () => {
  assert.equal(showHiddenOnOneLine('a\r\nb\tc'), 'a\\u{d}\\nb\\tc');
});

test('keeps the end of a long text visible', () => {
  const text = `${'x'.repeat(5000)} --evil`;
  const short = shortenMiddle(text, 100);
  assert.ok(short.endsWith(' --evil'));
  assert.match(short, /4907 characters/);
  assert.ok(short.length < 140);
});
