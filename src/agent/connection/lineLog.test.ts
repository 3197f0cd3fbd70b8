import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactText } from '../../acp/base/redactText';
import { LineLog } from './lineLog';

function logged(chunks: readonly string[]): readonly string[] {
  const told: string[] = [];
  const log = new LineLog((lines) => told.push(redactText(lines)));
  for (const chunk of chunks) log.push(chunk);
  log.flush();
  return told;
}

test('logs complete lines per chunk and the last one at the end', () => {
  assert.deepEqual(logged(['a\nb\nc', 'd\r\n', '\n', 'e']), ['a\nb', 'cd', 'e']);
  assert.deepEqual(logged([]), []);
});

test('hides a secret split at any position', () => {
  const text = 'before\nAPI_KEY=abcdef-123 Authorization: Bearer abcdefghijkl\nafter\n';
  for (let cut = 0; cut <= text.length; cut++) {
    const told = logged([text.slice(0, cut), text.slice(cut)]).join('\n');
    assert.equal(told, 'before\nAPI_KEY=[redacted] Authorization: Bearer [redacted]\nafter');
  }
});

test('never logs a private key, in one chunk or line by line', () => {
  const key = [
    'x -----BEGIN RSA PRIVATE KEY-----',
    'MIIEvQab',
    'AgEA==',
    '-----END RSA PRIVATE KEY-----',
    'y',
    '',
  ].join('\n');
  assert.equal(logged([key]).join('\n'), 'x [redacted]\ny');
  assert.equal(logged(key.split(/(?<=\n)/)).join('\n'), 'x [redacted]\ny');
});

test('logs the start of an endless line once, then the next line', () => {
  const told = logged([...Array<string>(3000).fill('a long '), 'secret'.repeat(10_000), '\nnext\n']);
  assert.equal(told.length, 1);
  const [long, next] = told[0]!.split('\n');
  assert.match(long!, /^a long [al ong]+…$/);
  assert.ok(long!.length <= 8 * 1024);
  assert.equal(next, 'next');
});
