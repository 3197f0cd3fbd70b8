import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineInput } from './lineInput';

test('echoes a line as it is typed and sends it with Enter', () => {
  const input = new LineInput();
  assert.deepEqual(input.type('hé'), { echo: 'hé', send: '', action: 'none' });
  assert.deepEqual(input.type('y\r'), { echo: 'y\r\n', send: 'héy\n', action: 'none' });
});

test('Backspace deletes whole characters, at most those typed', () => {
  const input = new LineInput();
  input.type('a😀');
  assert.deepEqual(input.type('\x7f'), { echo: '\b \b', send: '', action: 'none' });
  assert.deepEqual(input.type('\x7f\x7f\x7f'), { echo: '\b \b', send: '', action: 'none' });
  assert.equal(input.type('x\r').send, 'x\n');
});

test('sends pasted lines one by one and ignores arrow keys', () => {
  assert.equal(new LineInput().type('one\r\ntwo\nthree\x1b[A\x1bOB\r').send, 'one\ntwo\nthree\n');
});

test('Ctrl+C interrupts and clears the line; Ctrl+D ends an empty one', () => {
  const input = new LineInput();
  input.type('half');
  assert.deepEqual(input.type('\x03'), { echo: '^C\r\n', send: '', action: 'interrupt' });
  assert.deepEqual(input.type('\x04'), { echo: '', send: '', action: 'endInput' });
  assert.deepEqual(input.type('ab\x04'), { echo: 'ab', send: 'ab', action: 'none' });
  assert.deepEqual(input.type('ab\x15c\r'), { echo: 'ab\b \b\b \bc\r\n', send: 'c\n', action: 'none' });
});
