import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainOutput } from './plainOutput';

test('removes colors, titles, and marks from output', () => {
  assert.equal(
    plainOutput('\x1b[31mred\x1b[0m \x1b]0;title\x07text\x1b]633;D;0\x1b\\!\r\nnext\r\n'),
    'red text!\nnext\n',
  );
  assert.equal(plainOutput('a\x1b]633;C'), 'a');
});

test('keeps the last version of an overwritten line', () => {
  assert.equal(plainOutput('10%\r50%\r100%\r\ndone\r'), '100%\ndone');
});
