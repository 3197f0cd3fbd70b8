import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, notes } from '../../../test/unit-support/connectedAgent';
import { answer, call, tell } from '../../../test/unit-support/scriptedAgent';
import { internal, resourceNotFound, ResponseError } from '../base/errors';
import { agentMethods, clientMethods } from './methods';
import type { RequestPermissionResponse } from '../schema';

// Tests what docs/adr/0001 expects of vscode-jsonrpc. Framing is tested in lineCutter, incoming, and ndjson; cancellation and the end of
// a connection in connectionCancel and connectionClose.

const prompt = { sessionId: 's', prompt: [] };

test('handles a whole turn with requests in both directions and updates', async () => {
  const { agent, connection } = connected();
  const updates: unknown[] = [];
  connection.onNotification(clientMethods.sessionUpdate, (params) => updates.push(params));
  const allowed: RequestPermissionResponse = { outcome: { outcome: 'selected', optionId: 'yes' } };
  connection.onRequest(clientMethods.requestPermission, () => allowed);
  const turn = connection.request(agentMethods.prompt, prompt);
  const { id, params } = await agent.hearsCall('session/prompt');
  assert.deepEqual(params, prompt);
  agent.say(
    tell('session/update', { n: 1 }),
    call('p', 'session/request_permission'),
    tell('session/update', { n: 2 }),
  );
  const permission = await agent.hearsAnswer('p');
  assert.deepEqual(permission['result'], allowed);
  agent.say(answer(id, { stopReason: 'end_turn' }));
  assert.deepEqual(await turn, { stopReason: 'end_turn' });
  assert.deepEqual(updates, [{ n: 1 }, { n: 2 }]);
  connection.dispose();
});

test('ignores junk, numbers, null, and strings between messages', async () => {
  const noise: string[] = [];
  const { agent, connection, traffic } = connected({ onNoise: (line) => noise.push(line) });
  let updates = 0;
  connection.onNotification(clientMethods.sessionUpdate, () => updates++);
  agent.say(
    'npm warn old',
    tell('session/update'),
    'null',
    '123',
    '"text"',
    '',
    '\r',
    tell('session/update'),
    '{broken',
  );
  await agent.catchesUp();
  assert.equal(updates, 2);
  assert.deepEqual(noise, ['npm warn old', 'null', '123', '"text"', '{broken']);
  assert.equal(traffic.entries().filter((entry) => entry.direction === 'noise').length, 5);
  assert.deepEqual(
    agent.heard.filter((message) => message['id'] === null),
    [{ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }],
  );
  connection.dispose();
});

test('answers a batch with one error and dispatches none of it', async () => {
  const { agent, connection } = connected();
  let updates = 0;
  connection.onNotification(clientMethods.sessionUpdate, () => updates++);
  agent.say(JSON.stringify([tell('session/update'), call(1, 'session/request_permission')]));
  await agent.catchesUp();
  assert.equal(updates, 0);
  assert.equal((agent.heard[0]?.['error'] as { code: number }).code, -32600);
  assert.equal(agent.heard[0]?.['id'], null);
  assert.equal(agent.heard.length, 2, 'the batch and the catching up');
  connection.dispose();
});

test('rejects responses with neither result nor error, or with both', async () => {
  const { agent, connection } = connected();
  const nothing = connection.request(agentMethods.listSessions, {});
  const both = connection.request(agentMethods.listSessions, {});
  agent.say({ jsonrpc: '2.0', id: 0 }, { jsonrpc: '2.0', id: 1, result: null, error: { code: 400, message: 'bad' } });
  await assert.rejects(nothing, /neither a result nor an error/);
  await assert.rejects(both, { code: 400, message: 'bad' });
  connection.dispose();
});

test('rejects an invalid response that is deeply nested', async () => {
  const { agent, connection } = connected();
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const requests = [0, 1, 2].map(() => connection.request(agentMethods.listSessions, {}));
  agent.stdout.write(`{"id":0,"v":${deep}}\n{"id":1,"error":null,"v":${deep}}\n{"id":"2","error":0,"v":${deep}}\n`);
  for (const request of requests) await assert.rejects(request, /neither a result nor an error/);
  connection.dispose();
});

test('treats a null result as an empty result', async () => {
  const { agent, connection } = connected();
  const loaded = connection.request(agentMethods.setMode, { sessionId: 's', modeId: 'm' });
  agent.say(answer(0, null));
  assert.deepEqual(await loaded, {});
  connection.dispose();
});

test("keeps an error's code, message, and data, even with non-JSON-RPC codes", async () => {
  const { agent, connection } = connected();
  const failing = connection.request(agentMethods.newSession, { cwd: '/w', mcpServers: [] });
  agent.say({ jsonrpc: '2.0', id: 0, error: { code: 401, message: 'no key', data: { details: 'x' } } });
  await assert.rejects(failing, (error) => {
    assert.ok(error instanceof ResponseError);
    assert.deepEqual([error.code, error.message, error.data], [401, 'no key', { details: 'x' }]);
    return true;
  });
  connection.dispose();
});

test('rejects params that are missing, positional, or not an object', async () => {
  const { agent, connection } = connected();
  connection.onRequest(clientMethods.readTextFile, () => assert.fail('must not be called'));
  const bad = [undefined, null, [], [{ path: '/x' }], 'text', 5];
  agent.say(...bad.map((params, id) => ({ jsonrpc: '2.0', id, method: 'fs/read_text_file', params })));
  for (const id of bad.keys()) {
    const { error } = await agent.hearsAnswer(id);
    assert.equal((error as { code: number }).code, -32602, `params ${JSON.stringify(bad[id])}`);
  }
  connection.dispose();
});

test('reports a notification without params and does not call its handler', async () => {
  const { agent, connection, traffic } = connected();
  connection.onNotification(clientMethods.sessionUpdate, () => assert.fail('must not be called'));
  agent.say({ jsonrpc: '2.0', method: 'session/update' }, { jsonrpc: '2.0', method: 'session/update', params: [1] });
  await agent.catchesUp();
  assert.equal(notes(traffic).length, 2);
  connection.dispose();
});

test('sends handler errors to the agent: ACP errors unchanged, others as internal', async () => {
  const { agent, connection } = connected();
  const thrown = [resourceNotFound('/gone'), internal('disk', { a: 1 }), new Error('boom'), 'just text'];
  connection.onRequest(clientMethods.readTextFile, (params) => {
    throw thrown[(params as { n: number }).n] as Error;
  });
  agent.say(...thrown.map((_, n) => call(n, 'fs/read_text_file', { n })));
  const errors = await Promise.all(thrown.map(async (_, n) => (await agent.hearsAnswer(n))['error']));
  assert.deepEqual(errors, [
    { code: -32002, message: 'Resource not found: /gone', data: { path: '/gone' } },
    { code: -32603, message: 'disk', data: { a: 1 } },
    { code: -32603, message: 'boom', data: { details: 'boom' } },
    { code: -32603, message: 'Internal error', data: { details: 'just text' } },
  ]);
  connection.dispose();
});

test('answers with an internal error if the result cannot be serialized', async () => {
  const { agent, connection } = connected();
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  connection.onRequest({ method: 'x' }, () => circular);
  agent.say(call(1, 'x'));
  assert.equal(((await agent.hearsAnswer(1))['error'] as { code: number }).code, -32603);
  connection.dispose();
});

test('sends a missing result as an empty object', async () => {
  const { agent, connection } = connected();
  connection.onRequest(clientMethods.writeTextFile, () => undefined);
  connection.onRequest(clientMethods.killTerminal, async () => undefined);
  agent.say(call(1, 'fs/write_text_file'), call(2, 'terminal/kill'));
  assert.deepEqual((await agent.hearsAnswer(1))['result'], {});
  assert.deepEqual((await agent.hearsAnswer(2))['result'], {});
  connection.dispose();
});

test('answers unknown requests as not found and reports unknown notifications', async () => {
  const unhandled: unknown[] = [];
  const { agent, connection } = connected({
    onUnhandledNotification: (method, params) => unhandled.push([method, params]),
  });
  agent.say(
    tell('_auth/status_update', { a: 1 }),
    tell('$/progress'),
    tell('foo/bar'),
    call(1, 'craft/drainMidTurnQueue'),
    call(2, '_x.y/z'),
  );
  assert.equal(((await agent.hearsAnswer(1))['error'] as { code: number }).code, -32601);
  assert.equal(((await agent.hearsAnswer(2))['error'] as { code: number }).code, -32601);
  assert.deepEqual(unhandled, [
    ['_auth/status_update', { a: 1 }],
    ['$/progress', {}],
    ['foo/bar', {}],
  ]);
  assert.equal(agent.heard.length, 2);
  connection.dispose();
});

test('reports an error in an update handler and handles the next update', async () => {
  const { agent, connection, traffic } = connected();
  let updates = 0;
  connection.onNotification(clientMethods.sessionUpdate, () => {
    updates++;
    throw new Error('a bug');
  });
  agent.say(tell('session/update'), tell('session/update'));
  await agent.catchesUp();
  assert.equal(updates, 2);
  assert.match(notes(traffic)[0] ?? '', /a bug/);
  connection.dispose();
});

test('does not call a disposed handler again', async () => {
  const { agent, connection } = connected();
  let updates = 0;
  const first = connection.onNotification(clientMethods.sessionUpdate, () => updates++);
  connection.onRequest(clientMethods.readTextFile, () => ({ content: '' })).dispose();
  agent.say(tell('session/update'));
  await agent.catchesUp();
  first.dispose();
  agent.say(tell('session/update'), call(1, 'fs/read_text_file'));
  assert.equal(((await agent.hearsAnswer(1))['error'] as { code: number }).code, -32601);
  assert.equal(updates, 1);
  connection.dispose();
});

test('logs every message with its direction and its size without line break', async () => {
  const { agent, connection, traffic } = connected();
  const request = connection.request(agentMethods.listSessions, { cursor: 'ü' });
  agent.say(answer(0, { sessions: ['🙂'] }));
  await request;
  await connection.notify(agentMethods.cancel, { sessionId: 's' });
  const messages = [
    ['send', call(0, 'session/list', { cursor: 'ü' })],
    ['receive', answer(0, { sessions: ['🙂'] })],
    ['send', tell('session/cancel', { sessionId: 's' })],
  ];
  assert.deepEqual(
    traffic.entries().map(({ direction, message, bytes }) => [direction, message, bytes]),
    messages.map(([direction, message]) => [direction, message, Buffer.byteLength(JSON.stringify(message))]),
  );
  connection.dispose();
});

test('the library exports only its entry points, so deep imports fail', () => {
  assert.ok(require.resolve('vscode-jsonrpc/node'));
  assert.throws(() => require.resolve('vscode-jsonrpc/lib/node/main.js'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
});
