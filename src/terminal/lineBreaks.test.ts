import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineBreaks } from './lineBreaks';

const whole = 'one\r\ntwo\r\r\nthree\n10 %\r20 %\rdone\r\n\r\nlast\r';
const meant = 'one\ntwo\nthree\n10 %\r20 %\rdone\n\nlast\r';

test("restores the program's line endings, however the output is split", () => {
  for (let size = 1; size <= whole.length; size++) {
    const breaks = new LineBreaks();
    let text = '';
    for (let at = 0; at < whole.length; at += size) text += breaks.push(whole.slice(at, at + size));
    assert.equal(text + breaks.end(), meant, `pieces of ${size}`);
  }
});

test('handles endless carriage returns in constant time and space', () => {
  const breaks = new LineBreaks();
  for (let piece = 0; piece < 1000; piece++) assert.ok(breaks.push('\r'.repeat(1000)).length <= 1);
  assert.equal(breaks.push('x'), '\rx');
});
