import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import type { Message } from 'vscode-jsonrpc/node';
import { seededRandom } from '../../../test/unit-support/scriptedAgent';
import { ConnectionClosedError } from '../base/errors';
import { NdjsonReader, NdjsonWriter, type NdjsonReaderOptions } from './ndjson';
import type { RefusedLine } from './transport';

/** In-memory streams deliver their data within one turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Starts a reader whose messages are dispatched immediately. */
function startReader(input: PassThrough, options: Partial<NdjsonReaderOptions> = {}) {
  const messages: unknown[] = [];
  const refused: RefusedLine[] = [];
  const errors: Error[] = [];
  const reader = new NdjsonReader(input, {
    isPending: () => false,
    onRefused: (line) => refused.push(line),
    dispatchNow: (message) => messages.push(message) > 0,
    ...options,
  });
  const closed = new Promise<void>((resolve) => reader.onClose(resolve));
  reader.onError((error) => errors.push(error));
  reader.listen((message) => messages.push(message));
  return { reader, messages, refused, errors, closed };
}

test('reads the same messages from random chunks of a messy stream', async () => {
  const expected = Array.from({ length: 40 }, (_, index) => ({
    jsonrpc: '2.0',
    method: 'x',
    params: { text: `🙂é ${index}` },
  }));
  const lines = expected.flatMap((message, index) => [
    `${JSON.stringify(message)}${index % 3 === 0 ? '\r' : ''}`,
    ...(index % 5 === 0 ? ['', '\r', 'npm warn something'] : []),
  ]);
  const bytes = Buffer.from(`\uFEFF${lines.join('\n')}\n`);
  for (let seed = 1; seed <= 60; seed++) {
    const random = seededRandom(seed);
    const input = new PassThrough();
    const { messages, refused, closed } = startReader(input);
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + Math.floor(random() * (1 + (seed % 7) * 60));
      input.write(bytes.subarray(at, end));
      at = end;
    }
    input.end();
    await closed;
    assert.deepEqual(messages, expected, `seed ${seed}`);
    assert.equal(refused.length, 8);
  }
});

test('reads a line of 20 MB as one message', async () => {
  const input = new PassThrough();
  const { messages, closed } = startReader(input);
  const text = 'ü'.repeat(10 * 1024 * 1024);
  const bytes = Buffer.from(`${JSON.stringify({ method: 'x', params: { text } })}\n`);
  for (let at = 0; at < bytes.length; at += 65_536) input.write(bytes.subarray(at, at + 65_536));
  input.end();
  await closed;
  assert.equal((messages[0] as { params: { text: string } }).params.text, text);
});

test('reads a complete last line and only reports an incomplete one', async () => {
  const whole = new PassThrough();
  const first = startReader(whole);
  whole.end('{"method":"x"}\n{"method":"last"}');
  await first.closed;
  assert.deepEqual(first.messages, [{ method: 'x' }, { method: 'last' }]);

  const broken = new PassThrough();
  const second = startReader(broken);
  broken.end('{"method":"x"}\n{"method":"la');
  await second.closed;
  assert.deepEqual(second.messages, [{ method: 'x' }]);
  assert.deepEqual(second.refused, [{ line: '{"method":"la', bytes: 13, reason: 'not JSON' }]);
});

test('reports the words before a message on its line', async () => {
  const input = new PassThrough();
  const { messages, refused, closed } = startReader(input);
  input.end('Ready{"jsonrpc":"2.0","method":"x"}\n');
  await closed;
  assert.deepEqual(messages, [{ jsonrpc: '2.0', method: 'x' }]);
  assert.deepEqual(refused, [{ line: 'Ready', bytes: 5, reason: 'words before a message' }]);
});

test('a line over the limit is an error and ends reading', async () => {
  const input = new PassThrough();
  const { messages, refused, errors, closed } = startReader(input, { lineLimit: 1000 });
  input.write('{"method":"before"}\n');
  input.write(`{"method":"${'x'.repeat(2000)}`);
  await closed;
  assert.deepEqual(messages, [{ method: 'before' }]);
  assert.equal(errors.length, 1);
  assert.equal(refused[0]?.reason, 'too long');
  assert.ok(refused[0].line.length <= 1000);
});

test('pauses input at the high-water mark and resumes at the low one', async () => {
  const input = new PassThrough();
  const { reader, messages, closed } = startReader(input, { dispatchNow: () => false });
  input.write('{"method":"x"}\n'.repeat(2047));
  await turn();
  assert.equal(input.isPaused(), false);
  input.write('{"method":"x"}\n');
  await turn();
  assert.equal(input.isPaused(), true, 'paused at 2,048');
  for (let left = 2048; left > 513; left--) reader.markDispatched();
  assert.equal(input.isPaused(), true, 'still paused at 513');
  reader.markDispatched();
  assert.equal(input.isPaused(), false, 'goes on at 512');
  for (let left = 512; left > 0; left--) reader.markDispatched();
  assert.equal(messages.length, 2048);
  input.end();
  await closed;
});

test('back-pressure stops a process that floods stdout without losing data', { timeout: 30_000 }, async () => {
  const lines = 50_000;
  const flood = `
    const line = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'y'.repeat(150) } }) + '\\n';
    (async () => {
      for (let i = 0; i < ${lines}; i++) if (!process.stdout.write(line)) await new Promise((r) => process.stdout.once('drain', r));
      process.stderr.write('written');
    })();`;
  const child = spawn(process.execPath, ['-e', flood], { stdio: ['ignore', 'pipe', 'pipe'] });
  let written = false;
  child.stderr.on('data', () => (written = true));
  const received: Message[] = [];
  const reader = new NdjsonReader(child.stdout, {
    isPending: () => false,
    onMessage: (message) => received.push(message),
  });
  const closed = new Promise<void>((resolve) => reader.onClose(resolve));
  let handedOver = 0;
  reader.listen(() => handedOver++);
  while (!child.stdout.isPaused()) await once(child.stdout, 'data');
  const atPause = received.length;
  assert.ok(atPause >= 2048 && atPause < 2048 + 1000, `${atPause} lines were read before the pause`);
  // The pipe and the child's buffer are smaller than the remaining output.
  await turn();
  assert.equal(received.length, atPause);
  assert.equal(written, false);
  assert.equal(handedOver, 1, 'one at a time');
  const drain = () => {
    for (let left = 400; left > 0 && handedOver > dispatched; left--) {
      dispatched++;
      reader.markDispatched();
    }
    if (dispatched < lines) setImmediate(drain);
  };
  let dispatched = 0;
  drain();
  await closed;
  assert.equal(received.length, lines);
  assert.equal(dispatched, lines);
  assert.equal(written, true);
});

test('closes an input that ended or failed before listening began', async () => {
  const ended = new PassThrough();
  ended.end();
  ended.resume();
  await once(ended, 'end');
  await startReader(ended).closed;

  const broken = new PassThrough();
  broken.destroy();
  await startReader(broken).closed;
});

test('an input error is reported and closes the reader', async () => {
  const input = new PassThrough();
  const { errors, closed } = startReader(input);
  input.destroy(new Error('EIO'));
  await closed;
  assert.deepEqual(
    errors.map((error) => error.message),
    ['EIO'],
  );
});

test('a disposed reader drains its input and never blocks the writer', async () => {
  const input = new PassThrough({ highWaterMark: 100 });
  const { reader, messages } = startReader(input, { dispatchNow: () => false, highWaterMark: 1 });
  input.write('{"method":"x"}\n');
  await turn();
  assert.equal(input.isPaused(), true);
  reader.dispose();
  if (!input.write('{"method":"y"}\n'.repeat(100))) await once(input, 'drain');
  assert.equal(messages.length, 1);
  input.destroy(new Error('an error after disposal harms nobody'));
  await new Promise((resolve) => input.once('close', resolve));
});

test('writes one line per message, even if its text has line breaks', async () => {
  const output = new PassThrough();
  const writer = new NdjsonWriter(output);
  const text = 'a\nb\r\nc\u2028d🙂';
  await writer.write({ jsonrpc: '2.0', params: { text } } as Message);
  const written = String(output.read());
  assert.equal(written.indexOf('\n'), written.length - 1);
  assert.deepEqual(JSON.parse(written), { jsonrpc: '2.0', params: { text } });
});

test('a full output makes writers wait for drain and keeps the order', async () => {
  const lines: string[] = [];
  let release: (() => void) | undefined;
  const output = new Writable({
    highWaterMark: 10,
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      release = done;
    },
  });
  const writer = new NdjsonWriter(output);
  const message = (id: number) => ({ jsonrpc: '2.0', id }) as Message;
  await writer.write(message(1));
  let second = false;
  const written = [writer.write(message(2)).then(() => (second = true)), writer.write(message(3))];
  await turn();
  assert.equal(second, false, 'the second waits');
  assert.equal(output.writableLength, lines[0]?.length, 'only the first was handed to the stream');
  while (lines.length < 3) {
    release?.();
    await turn();
  }
  await Promise.all(written);
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { id: number }).id),
    [1, 2, 3],
  );
});

test('a broken pipe closes the writer and rejects waiting writes', { timeout: 10_000 }, async (context) => {
  const child = spawn(process.execPath, [
    '-e',
    "require('fs').closeSync(0); console.log('deaf'); setTimeout(() => {}, 60_000)",
  ]);
  context.after(() => child.kill());
  await once(child.stdout, 'data');
  const writer = new NdjsonWriter(child.stdin);
  const closed = new Promise<void>((resolve) => writer.onClose(resolve));
  const big = { jsonrpc: '2.0', params: 'x'.repeat(100_000) } as Message;
  const outcomes = Array.from({ length: 5 }, () =>
    writer.write(big).then(
      () => 'written',
      (error: unknown) => error,
    ),
  );
  await closed;
  const [first, ...others] = await Promise.all(outcomes);
  assert.equal(first, 'written');
  for (const outcome of others) assert.ok(outcome instanceof ConnectionClosedError);
  await assert.rejects(writer.write(big), ConnectionClosedError);
  child.kill();
  await once(child, 'exit');
});

test('rejects a message that cannot be serialized and continues', async () => {
  const output = new PassThrough();
  const writer = new NdjsonWriter(output);
  const circular: Record<string, unknown> = { jsonrpc: '2.0' };
  circular['self'] = circular;
  await assert.rejects(writer.write(circular as unknown as Message), TypeError);
  await writer.write({ jsonrpc: '2.0' });
  assert.equal(String(output.read()), '{"jsonrpc":"2.0"}\n');
});

test('blocks while much data waits, until half of it is written', async () => {
  let release: (() => void) | undefined;
  const output = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void (release = done) });
  const heard: boolean[] = [];
  const writer = new NdjsonWriter(output, { blockedAt: 1000, onBlocked: (isBlocked) => heard.push(isBlocked) });
  const message = { jsonrpc: '2.0', params: 'x'.repeat(250) } as Message;
  const written = Array.from({ length: 5 }, () => writer.write(message));
  assert.deepEqual(heard, [true], 'one is in the stream, four wait');
  release?.();
  await written[1];
  assert.deepEqual(heard, [true]);
  for (const next of [2, 3]) {
    release?.();
    await written[next];
  }
  assert.deepEqual(heard, [true, false]);
  release?.();
  await written[4];
  writer.dispose();
});

test('gives up on a non-reading agent by amount or by time', async () => {
  const deaf = () => new Writable({ highWaterMark: 1, write: () => undefined });
  const message = { jsonrpc: '2.0', params: 'x'.repeat(1000) } as Message;
  let given = 0;
  const onGivenUp = () => void (given += 1);
  const full = new NdjsonWriter(deaf(), { waitingLimit: 3000, onGivenUp });
  const closed = new Promise<void>((resolve) => full.onClose(resolve));
  const outcomes = Array.from({ length: 6 }, () => full.write(message));
  await closed;
  assert.equal((await Promise.allSettled(outcomes)).filter(({ status }) => status === 'rejected').length, 5);
  assert.deepEqual([given, full.isWritable], [1, false]);
  await new Promise<void>((resolve) => {
    const slow = new NdjsonWriter(deaf(), { blockedAt: 1000, patienceMs: 20, onGivenUp: resolve });
    for (let count = 0; count < 2; count += 1) slow.write(message).catch(() => undefined);
  });
  // A single message of any size may wait.
  const large = new NdjsonWriter(deaf(), { waitingLimit: 100, onGivenUp });
  void large.write(message);
  void large.write(message).catch(() => undefined);
  assert.equal(given, 1);
  large.dispose();
});
