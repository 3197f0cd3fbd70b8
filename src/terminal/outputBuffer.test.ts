import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutputBuffer, maximumOutputLimit } from './outputBuffer';
import { Utf8Decoder } from './utf8Decoder';

/** The rule in its simplest form: removes characters from the front until the rest fits. */
function expected(text: string, limit: number): string {
  const characters = Array.from(text);
  while (Buffer.byteLength(characters.join('')) > limit) characters.shift();
  return characters.join('');
}

const mixed = 'aé€😀z\r\nß漢🎉';

test('keeps the longest whole-character end within limits 0 to 10', () => {
  for (let limit = 0; limit <= 10; limit += 1) {
    const buffer = new OutputBuffer(limit);
    buffer.append(mixed);
    assert.equal(buffer.read(), expected(mixed, limit), `limit ${limit}`);
    assert.equal(buffer.truncated, true);
  }
});

test('keeps the same output however it is split into chunks', () => {
  const text = mixed.repeat(9);
  const characters = Array.from(text);
  for (let limit = 0; limit <= 70; limit += 1) {
    const end = expected(text, limit);
    for (const size of [1, 2, 3, 7, 40]) {
      const buffer = new OutputBuffer(limit);
      for (let at = 0; at < characters.length; at += size) buffer.append(characters.slice(at, at + size).join(''));
      assert.equal(buffer.read(), end, `limit ${limit} in pieces of ${size}`);
    }
  }
});

test('keeps output within the limit without marking it as truncated', () => {
  const buffer = new OutputBuffer(Buffer.byteLength(mixed));
  buffer.append(mixed);
  assert.deepEqual([buffer.read(), buffer.truncated], [mixed, false]);
  buffer.append('x');
  assert.deepEqual([buffer.read(), buffer.truncated], [expected(`${mixed}x`, Buffer.byteLength(mixed)), true]);
});

test('limit 0 keeps nothing and reports truncation once there is output', () => {
  const buffer = new OutputBuffer(0);
  assert.deepEqual([buffer.read(), buffer.truncated], ['', false]);
  buffer.append('a');
  assert.deepEqual([buffer.read(), buffer.truncated], ['', true]);
});

test('keeps later output after a character that is larger than the limit', () => {
  const buffer = new OutputBuffer(2);
  buffer.append('€');
  assert.deepEqual([buffer.read(), buffer.truncated], ['', true]);
  buffer.append('ab');
  assert.equal(buffer.read(), 'ab');
  buffer.append('c');
  assert.equal(buffer.read(), 'bc');
});

test('limits the output without a limit or with an absurd one', () => {
  const buffer = new OutputBuffer(Number.MAX_SAFE_INTEGER);
  const block = 'x'.repeat(1024 * 1024);
  for (let count = 0; count < 17; count += 1) buffer.append(block);
  assert.deepEqual([buffer.read().length, buffer.truncated], [maximumOutputLimit, true]);
  const usual = new OutputBuffer();
  for (let count = 0; count < 9; count += 1) usual.append(block);
  assert.deepEqual([usual.read().length, usual.truncated], [8 * 1024 * 1024, true]);
});

test('decodes characters split across chunks at any byte', () => {
  const bytes = Buffer.from(mixed);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    for (let second = cut; second <= bytes.length; second += 1) {
      const decoder = new Utf8Decoder();
      const parts = [bytes.subarray(0, cut), bytes.subarray(cut, second), bytes.subarray(second)];
      const buffer = new OutputBuffer();
      for (const part of parts) buffer.append(decoder.decode(part));
      buffer.append(decoder.end());
      assert.equal(buffer.read(), mixed);
    }
  }
});

test('replaces invalid UTF-8, even at the very end', () => {
  const decoder = new Utf8Decoder();
  assert.equal(decoder.decode(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82])), 'a\ufffdb');
  assert.equal(decoder.end(), '\ufffd');
});
