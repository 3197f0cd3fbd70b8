import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLine, type Incoming } from './incoming';

const nothingPending = () => false;

function read(line: string, pending: readonly unknown[] = []): Incoming {
  return readLine(line, (id) => pending.includes(id));
}

function answerTo(line: string): unknown {
  const incoming = read(line);
  if (incoming.kind !== 'refused') assert.fail(`${line} was let through`);
  return incoming.answer;
}

test('accepts requests and notifications unchanged', () => {
  for (const message of [
    { jsonrpc: '2.0', id: 1, method: 'fs/read_text_file', params: {} },
    { jsonrpc: '2.0', id: 'a', method: 'x' },
    { jsonrpc: '2.0', id: 0, method: 'x' },
    { jsonrpc: '2.0', id: -1, method: 'x', extra: true },
    { jsonrpc: '2.0', method: 'session/update', params: { _meta: null } },
    { method: 'session/update' },
  ]) {
    assert.deepEqual(readLine(JSON.stringify(message), nothingPending), { kind: 'message', message });
  }
});

test('ignores surrounding white space, carriage returns, and blank lines', () => {
  const message = { jsonrpc: '2.0', method: 'x' };
  for (const line of ['{"jsonrpc":"2.0","method":"x"}\r', '  {"jsonrpc":"2.0","method":"x"}\t']) {
    assert.deepEqual(read(line), { kind: 'message', message });
  }
  for (const line of ['', ' ', '\r', ' \t\r']) assert.deepEqual(read(line), { kind: 'blank' });
});

test('refuses banners, warnings, and non-objects without a response', () => {
  for (const line of [
    'npm warn deprecated',
    'Debugger attached.',
    'null',
    '123',
    '"text"',
    'true',
    'undefined',
    '<html>',
  ]) {
    assert.equal(answerTo(line), undefined, line);
  }
});

test('reads a message behind words or control sequences on its line', () => {
  const message = { jsonrpc: '2.0', method: 'x', params: { text: 'a {"b":1}' } };
  const text = JSON.stringify(message);
  for (const before of [
    'Loading the model…',
    '\u001b[2K\u001b[1G',
    '\u001b]0;agent\u0007',
    '50% {done} ',
    '[INFO] Ready',
  ]) {
    assert.deepEqual(read(before + text), { kind: 'message', message, before });
  }
  const answer = { jsonrpc: '2.0', id: 3, result: {} };
  const words = `Ready${JSON.stringify(answer)}\r`;
  assert.deepEqual(read(words, [3]), { kind: 'message', message: answer, before: 'Ready' });
});

test('leaves a message that an agent only logs', () => {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 3, result: {} });
  const lines = [
    `received: ${text}`,
    `<- ${text}`,
    `\u001b[32m[debug]\u001b[0m ${text}`,
    `log "${text}`,
    `Ready${text} sent`,
  ];
  for (const line of lines) assert.equal(readLine(line, () => true).kind, 'refused', line);
  const noVersion = 'Ready{"id":3,"result":{}}';
  assert.equal(readLine(noVersion, () => true).kind, 'refused');
});

test('answers a malformed line that looks like JSON with a parse error', () => {
  for (const line of ['{broken', '{"jsonrpc":"2.0",', '[1,', '{} {}', '[INFO] starting']) {
    assert.deepEqual(
      answerTo(line),
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
      line,
    );
  }
});

test('answers a batch with one invalid request and dispatches none of it', () => {
  for (const line of [
    '[]',
    '[1]',
    '[{"jsonrpc":"2.0","method":"session/update"}]',
    '[{"jsonrpc":"2.0","id":1,"result":{}}]',
  ]) {
    assert.deepEqual(
      answerTo(line),
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: "Batches aren't supported" } },
      line,
    );
  }
});

test('answers a request with a null or invalid id with id null', () => {
  for (const id of [null, true, {}, []]) {
    const reply = answerTo(JSON.stringify({ jsonrpc: '2.0', id, method: 'x' })) as {
      id: unknown;
      error: { code: number };
    };
    assert.equal(reply.id, null);
    assert.equal(reply.error.code, -32600);
  }
});

test('answers an unrecognized object under its id, or not without one', () => {
  assert.deepEqual(answerTo('{"id":7}'), {
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32600, message: 'Invalid request' },
  });
  assert.deepEqual(answerTo('{"id":"x","method":5}'), {
    jsonrpc: '2.0',
    id: 'x',
    error: { code: -32600, message: 'Invalid request' },
  });
  for (const line of ['{}', '{"jsonrpc":"2.0"}', '{"level":"info","msg":"up"}', '{"id":null}']) {
    assert.equal(answerTo(line), undefined, line);
  }
});

test('accepts responses only to pending requests, and refuses others silently', () => {
  const late = '{"jsonrpc":"2.0","id":9999,"result":{}}';
  assert.equal(answerTo(late), undefined);
  assert.equal(read(late, [9999]).kind, 'message');
  for (const line of ['{"error":{"code":-32700,"message":"Parse error"}}', '{"id":null,"error":{"code":-32700}}']) {
    assert.equal(answerTo(line), undefined, line);
  }
});

test('accepts a response whose numeric id is sent as a string', () => {
  assert.deepEqual(read('{"jsonrpc":"2.0","id":"2","result":5}', [2]), {
    kind: 'message',
    message: { jsonrpc: '2.0', id: 2, result: 5 },
  });
  assert.equal(answerTo('{"jsonrpc":"2.0","id":"2","result":5}'), undefined);
});

test('accepts a pending response without result or error, so the request fails', () => {
  assert.equal(read('{"jsonrpc":"2.0","id":3}', [3]).kind, 'message');
});

test("refuses the library's own cancel method, with or without params", () => {
  assert.equal(answerTo('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}'), undefined);
  assert.equal(answerTo('{"jsonrpc":"2.0","method":"$/cancelRequest"}'), undefined);
});

test('handles ten megabytes of brackets quickly and fails the matching request', () => {
  const size = 10_000_000;
  const started = process.cpuUsage();
  const lines = [
    '['.repeat(size),
    `{"method":${'['.repeat(size)}`,
    '{"a":'.repeat(size / 5),
    `[${'[],'.repeat(size / 3)}]`,
  ];
  for (const line of lines) assert.equal(read(line).kind, 'refused');
  const inText = `{"method":"x","params":{"text":"${'[\\"'.repeat(size / 3)}"}}`;
  assert.equal(read(inText).kind, 'message');
  assert.deepEqual(read(`{"jsonrpc":"2.0","id":7,"result":${'['.repeat(size)}`, [7]), {
    kind: 'message',
    message: { jsonrpc: '2.0', id: 7 },
  });
  const ms = process.cpuUsage(started).user / 1000;
  assert.ok(ms < 1500, `it took ${Math.round(ms)} ms`);
});
