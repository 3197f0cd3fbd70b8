import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authRequired,
  ConnectionClosedError,
  internal,
  invalidParams,
  isAcpError,
  isAuthRequired,
  isConnectionClosed,
  isRequestCancelled,
  methodNotFound,
  readableError,
  requestCancelled,
  resourceNotFound,
  ResponseError,
  toAcpError,
} from './errors';

test("maps each error to the protocol's code", () => {
  const codes = [
    invalidParams('x'),
    methodNotFound('m'),
    resourceNotFound('/p'),
    internal('x'),
    requestCancelled(),
    authRequired(),
  ].map((error) => error.code);
  assert.deepEqual(codes, [-32602, -32601, -32002, -32603, -32800, -32000]);
  assert.equal(isAuthRequired(authRequired()), true);
  assert.equal(isAuthRequired(new Error('Authentication required')), false);
  assert.equal(isRequestCancelled(requestCancelled()), true);
  assert.equal(isRequestCancelled(internal('x')), false);
});

test('keeps protocol errors and turns others into internal errors', () => {
  const own = invalidParams('x');
  assert.equal(toAcpError(own), own);
  const { code, message, data } = toAcpError(new Error('boom'));
  assert.deepEqual({ code, message, data }, { code: -32603, message: 'boom', data: { details: 'boom' } });
  assert.equal(toAcpError(new Error('')).message, 'Internal error');
  assert.deepEqual(toAcpError(undefined).data, { details: 'undefined' });
});

test('finds the readable text wherever the agent put it', () => {
  const cases: [ResponseError<unknown>, { message: string; detail?: string }][] = [
    [new ResponseError(-32603, 'No API key'), { message: 'No API key' }],
    // The text in `data.details`, `data.message`, or `data` itself.
    [new ResponseError(-32603, 'Internal error', { details: 'quota is used up' }), { message: 'quota is used up' }],
    [new ResponseError(-32603, 'Internal error', { message: 'no such model' }), { message: 'no such model' }],
    [new ResponseError(-32603, 'Internal error', 'plain text'), { message: 'plain text' }],
    [new ResponseError(-32603, '', { error: { message: 'nested' } }), { message: 'nested' }],
    // Both have useful text.
    [
      new ResponseError(-32603, 'Prompt failed', { details: 'quota is used up' }),
      { message: 'Prompt failed', detail: 'quota is used up' },
    ],
    [
      new ResponseError(-32603, 'Internal error: quota is used up', { details: 'quota is used up' }),
      { message: 'Internal error: quota is used up' },
    ],
    // JSON in a string, as providers send it.
    [
      new ResponseError(400, '{"error":{"code":400,"message":"bad request","status":"INVALID"}}'),
      { message: 'bad request' },
    ],
    [new ResponseError(500, '[{"error":{"message":"a"}},{"error":{"message":"b"}}]'), { message: 'a', detail: 'b' }],
    // Several lines.
    [new ResponseError(-32603, 'first\nsecond\nthird'), { message: 'first', detail: 'second\nthird' }],
    // No readable text.
    [new ResponseError(-32603, 'Internal error', { status: 7 }), { message: 'Internal error', detail: '{"status":7}' }],
    [new ResponseError(-32603, 'Internal error'), { message: 'Internal error' }],
    [new ResponseError(-1, ''), { message: 'The agent reported an error without a message.' }],
    [new ResponseError(-1, '{broken'), { message: '{broken' }],
  ];
  for (const [error, expected] of cases) assert.deepEqual(readableError(error), { code: error.code, ...expected });
});

test('makes errors from elsewhere readable without a code', () => {
  assert.deepEqual(readableError(new Error('spawn ENOENT')), { message: 'spawn ENOENT' });
  assert.deepEqual(readableError('text'), { message: 'text' });
  assert.deepEqual(readableError(undefined), { message: 'An unknown error occurred.' });
  assert.deepEqual(readableError(new ConnectionClosedError()), { message: 'The agent is no longer connected.' });
});

test('cuts long texts and does not follow endless nesting', () => {
  const long = readableError(new ResponseError(1, 'x'.repeat(100_000), 'y'.repeat(100_000)));
  assert.equal(long.message.length, 4001);
  assert.equal(long.detail?.length, 4001);
  let nested: unknown = 'deep';
  for (let depth = 0; depth < 100; depth++) nested = { error: nested };
  assert.equal(readableError(new ResponseError(1, 'top', nested)).message, 'top');
});

test("recognizes errors of another bundle's class by their shape", () => {
  const fromElsewhere = Object.assign(new Error('Log in'), { code: -32000, data: undefined });
  assert.equal(isAuthRequired(fromElsewhere), true);
  assert.deepEqual(readableError(fromElsewhere), { code: -32000, message: 'Log in' });
  assert.equal(isAcpError(methodNotFound('m')), true);
  const closed = Object.assign(new Error('Closed'), { name: 'ConnectionClosedError' });
  assert.deepEqual([isConnectionClosed(closed), isConnectionClosed(new ConnectionClosedError())], [true, true]);
});

test('does not treat Node and platform errors as protocol errors', () => {
  const ofNode = [
    Object.assign(new Error('Command failed'), { code: 1, killed: false }),
    Object.assign(new Error('ENOENT'), { code: 'ENOENT', data: 'x' }),
    new DOMException('Aborted', 'AbortError'),
    { code: -32000, message: 'no error at all', data: {} },
  ];
  assert.deepEqual(ofNode.map(isAcpError), [false, false, false, false]);
});
