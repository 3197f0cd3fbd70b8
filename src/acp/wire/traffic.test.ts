import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedactor } from './redact';
import { TrafficLog, type TrafficSummary } from './traffic';

test('returns entries oldest first, with their time', () => {
  let time = 1000;
  const log = new TrafficLog({ now: () => time++ });
  log.record('send', { id: 0 }, 8);
  log.record('receive', { id: 0, result: {} }, 20);
  log.record('noise', 'npm warn', 9);
  log.note('closed');
  assert.deepEqual(log.entries(), [
    { direction: 'send', at: 1000, message: { id: 0 }, bytes: 8 },
    { direction: 'receive', at: 1001, message: { id: 0, result: {} }, bytes: 20 },
    { direction: 'noise', at: 1002, message: 'npm warn', bytes: 9 },
    { direction: 'note', at: 1003, message: 'closed', bytes: 6 },
  ]);
});

test('keeps the latest entries up to the maximum number', () => {
  const log = new TrafficLog({ maxEntries: 5 });
  for (let id = 0; id < 23; id++) {
    log.record('send', id, 1);
    const from = Math.max(0, id - 4);
    assert.deepEqual(
      log.entries().map((entry) => entry.message),
      Array.from({ length: id - from + 1 }, (_, index) => from + index),
    );
    assert.equal(log.byteSize, log.size);
  }
});

test('keeps the latest entries up to the maximum number of bytes', () => {
  const log = new TrafficLog({ maxEntries: 100, maxBytes: 1000, maxMessageBytes: 600 });
  for (let id = 0; id < 500; id++) {
    log.record('send', id, (id * 37) % 600);
    assert.ok(log.byteSize <= 1000);
    assert.equal(
      log.byteSize,
      log.entries().reduce((sum, entry) => sum + entry.bytes, 0),
    );
    assert.equal(log.entries().at(-1)?.message, id);
  }
});

test('keeps an oversized message as a summary without its contents', () => {
  const log = new TrafficLog({ maxMessageBytes: 1000 });
  const text = 'x'.repeat(5000);
  const update = { sessionUpdate: 'available_commands_update', _meta: { text } };
  log.record('receive', { jsonrpc: '2.0', method: 'session/update', params: { update } }, 5100);
  log.record('receive', { jsonrpc: '2.0', id: text, result: text }, 5100);
  log.record('noise', text, 5000);
  const [first, second, third] = log.entries().map((entry) => entry.message as TrafficSummary);
  assert.deepEqual(first, { summary: 'available_commands_update (5 KiB, not kept)', method: 'session/update' });
  assert.deepEqual(second, { summary: '5 KiB, not kept' });
  assert.ok(third!.summary.length < 300);
  assert.equal(log.entries()[0]?.bytes, 5100, 'the size is told as it was');
  assert.ok(log.byteSize < 1000);
});

test('recording serializes no message', () => {
  const log = new TrafficLog();
  const message = {
    toJSON: () => assert.fail('must not be written out'),
  };
  for (let count = 0; count < 10_000; count++) log.record('receive', message, count * 10);
  log.clear();
  assert.deepEqual([log.size, log.byteSize, log.entries()], [0, 0, []]);
});

test('exports one line of JSON per entry, without secrets', () => {
  const log = new TrafficLog({ redactor: createRedactor(['hunter2!']), now: () => 0 });
  const message = { method: 'x', params: { text: 'hunter2!\n', env: { A: 'value' } } };
  log.record('send', message, 40);
  log.record('noise', 'started with hunter2!', 21);
  const lines = log.export().split('\n');
  assert.equal(lines.pop(), '');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    [
      {
        at: '1970-01-01T00:00:00.000Z',
        direction: 'send',
        bytes: 40,
        message: { method: 'x', params: { text: '[redacted]\n', env: { A: '[redacted]' } } },
      },
      { at: '1970-01-01T00:00:00.000Z', direction: 'noise', bytes: 21, message: 'started with [redacted]' },
    ],
  );
  assert.equal(message.params.text, 'hunter2!\n', 'the live message is as it was');
});
