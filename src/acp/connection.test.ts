import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, notes } from '../../test/unit-support/connectedAgent';
import { answer, call, tell } from '../../test/unit-support/scriptedAgent';
import { internal, resourceNotFound, ResponseError } from './errors';
import { agentMethods, clientMethods } from './methods';
import type { RequestPermissionResponse } from './schema';

// Tests what docs/adr/0001 expects of vscode-jsonrpc. Framing is tested in lineCutter, incoming, and ndjson; cancellation and the end of
// a connection in connectionCancel and connectionClose.

const prompt = { sessionId: 's', prompt: [] };

test('a whole turn: requests both ways and updates between them', async () => {
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

test('junk, numbers, null and strings between messages cost nothing', async () => {
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

test('a batch is answered with one error of id null, and none of it is dispatched', async () => {
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

test('an answer with neither result nor error rejects, one with both is an error', async () => {
  const { agent, connection } = connected();
  const nothing = connection.request(agentMethods.listSessions, {});
  const both = connection.request(agentMethods.listSessions, {});
  agent.say({ jsonrpc: '2.0', id: 0 }, { jsonrpc: '2.0', id: 1, result: null, error: { code: 400, message: 'bad' } });
  await assert.rejects(nothing, /neither a result nor an error/);
  await assert.rejects(both, { code: 400, message: 'bad' });
  connection.dispose();
});

test('an invalid answer that is nested deep rejects, too', async () => {
  const { agent, connection } = connected();
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const requests = [0, 1, 2].map(() => connection.request(agentMethods.listSessions, {}));
  agent.stdout.write(`{"id":0,"v":${deep}}\n{"id":1,"error":null,"v":${deep}}\n{"id":"2","error":0,"v":${deep}}\n`);
  for (const request of requests) await assert.rejects(request, /neither a result nor an error/);
  connection.dispose();
});

test('a result of null is an empty result', async () => {
  const { agent, connection } = connected();
  const loaded = connection.request(agentMethods.setMode, { sessionId: 's', modeId: 'm' });
  agent.say(answer(0, null));
  assert.deepEqual(await loaded, {});
  connection.dispose();
});

test('an error keeps its code, message and data, also a code of no JSON-RPC', async () => {
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

test('missing, positional and other params that are no object are invalid params', async () => {
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

test('a notification without params is noted and its handler left alone', async () => {
  const { agent, connection, traffic } = connected();
  connection.onNotification(clientMethods.sessionUpdate, () => assert.fail('must not be called'));
  agent.say({ jsonrpc: '2.0', method: 'session/update' }, { jsonrpc: '2.0', method: 'session/update', params: [1] });
  await agent.catchesUp();
  assert.equal(notes(traffic).length, 2);
  connection.dispose();
});

test('what a handler throws reaches the agent: our errors as they are, others as internal errors with their text', async () => {
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

test('a result that cannot be written down is an internal error, not silence', async () => {
  const { agent, connection } = connected();
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  connection.onRequest({ method: 'x' }, () => circular);
  agent.say(call(1, 'x'));
  assert.equal(((await agent.hearsAnswer(1))['error'] as { code: number }).code, -32603);
  connection.dispose();
});

test('no result is sent as an empty object', async () => {
  const { agent, connection } = connected();
  connection.onRequest(clientMethods.writeTextFile, () => undefined);
  connection.onRequest(clientMethods.killTerminal, async () => undefined);
  agent.say(call(1, 'fs/write_text_file'), call(2, 'terminal/kill'));
  assert.deepEqual((await agent.hearsAnswer(1))['result'], {});
  assert.deepEqual((await agent.hearsAnswer(2))['result'], {});
  connection.dispose();
});

test('unknown requests are answered as not found, unknown notifications only reported', async () => {
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

test('a handler of updates that throws is noted and the next update comes', async () => {
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

test('a disposed handler is called no more', async () => {
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

test('the traffic log has every message with its direction and its size without the line break', async () => {
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

test('the library exports its entries alone, so that no other file of it can be imported', () => {
  assert.ok(require.resolve('vscode-jsonrpc/node'));
  assert.throws(() => require.resolve('vscode-jsonrpc/lib/node/main.js'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
});
