import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TerminalBytes } from './terminalBytes';

const euro = Buffer.from('€');
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');

test('a character in two pieces comes with its last byte', () => {
  const bytes = new TerminalBytes();
  assert.equal(bytes.append(base64(Buffer.concat([Buffer.from('a'), euro.subarray(0, 1)]))), 'a');
  assert.equal(bytes.append(base64(euro.subarray(1, 2))), '');
  assert.equal(bytes.append(base64(Buffer.concat([euro.subarray(2), Buffer.from('b')]))), '€b');
  assert.equal(bytes.end(), '');
});

test('bytes that replace all others begin a new character', () => {
  const bytes = new TerminalBytes();
  assert.equal(bytes.append(base64(euro.subarray(0, 2))), '');
  assert.equal(bytes.replace(base64('ok')), 'ok');
  assert.equal(bytes.replace(base64(euro.subarray(0, 2))), '');
  assert.equal(bytes.append(base64(euro.subarray(2))), '€');
});

test('the end shows an incomplete character, once', () => {
  const bytes = new TerminalBytes();
  bytes.append(base64(euro.subarray(0, 2)));
  assert.deepEqual([bytes.end(), bytes.end()], ['\uFFFD', '']);
  assert.equal(bytes.append(base64('next')), 'next');
});
