import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, openRequests } from '../../../test/unit-support/connectedAgent';
import { answer, call, tell } from '../../../test/unit-support/scriptedAgent';
import { invalidParams, isRequestCancelled } from '../base/errors';
import { agentMethods, clientMethods } from './methods';
import type { RequestPermissionResponse } from '../schema';

const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

const newSession = { cwd: '/w', mcpServers: [] };

/** A handler that responds only when it is cancelled. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('stopped waiting'));
    });
  });
}

test('aborting sends the request id, rejects immediately, and ignores the late response', async () => {
  const { agent, connection } = connected();
  const first = connection.request(agentMethods.listSessions, {});
  const controller = new AbortController();
  const request = connection.request(agentMethods.newSession, newSession, controller.signal);
  await agent.hearsCall('session/new');
  controller.abort();
  await assert.rejects(request, isRequestCancelled);
  const cancel = await agent.hearsCall('$/cancel_request');
  assert.deepEqual(cancel, { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 1 } });
  assert.deepEqual(openRequests(connection), { incoming: 0, outgoing: 2 });
  agent.say(answer(1, { sessionId: 'late' }), answer(0, { sessions: [] }));
  assert.deepEqual(await first, { sessions: [] });
  assert.deepEqual(openRequests(connection), { incoming: 0, outgoing: 0 });
  connection.dispose();
});

test('sends nothing if the signal is already aborted', async () => {
  const { agent, connection } = connected();
  await assert.rejects(
    connection.request(agentMethods.newSession, newSession, AbortSignal.abort()),
    isRequestCancelled,
  );
  await agent.catchesUp();
  assert.equal(agent.heard.length, 1, 'only the catching up');
  assert.deepEqual(openRequests(connection), { incoming: 0, outgoing: 0 });
  connection.dispose();
});

test('aborting after the response sends nothing', async () => {
  const { agent, connection } = connected();
  const controller = new AbortController();
  const request = connection.request(agentMethods.newSession, newSession, controller.signal);
  agent.say(answer(0, { sessionId: 's' }));
  await request;
  controller.abort();
  await agent.catchesUp();
  assert.ok(agent.heard.every((message) => message['method'] !== '$/cancel_request'));
  connection.dispose();
});

test("never sends the library's own cancel method", async () => {
  const { agent, connection, traffic } = connected();
  const controller = new AbortController();
  const requests = [0, 1, 2].map(() => connection.request(agentMethods.newSession, newSession, controller.signal));
  controller.abort();
  await Promise.allSettled(requests);
  await agent.hears((message) => (message['params'] as { requestId?: number } | undefined)?.requestId === 2);
  assert.doesNotMatch(traffic.export(), /cancelRequest/);
  connection.dispose();
});

test('a cancel in the same chunk as its request answers cancelled', async () => {
  const { agent, connection } = connected();
  connection.onRequest(clientMethods.waitForTerminalExit, (_, signal) => untilAborted(signal));
  for (const id of [5, 'five', 0, '']) {
    agent.say(call(id, 'terminal/wait_for_exit'), tell('$/cancel_request', { requestId: id }));
    const { error } = await agent.hearsAnswer(id);
    assert.deepEqual(error, { code: -32800, message: 'Request cancelled' });
  }
  await agent.catchesUp();
  assert.deepEqual(openRequests(connection), { incoming: 0, outgoing: 0 });
  connection.dispose();
});

test('a later cancel aborts only the request with exactly its id', async () => {
  const { agent, connection } = connected();
  connection.onRequest(clientMethods.waitForTerminalExit, (_, signal) => untilAborted(signal));
  agent.say(call(1, 'terminal/wait_for_exit'), call('1', 'terminal/wait_for_exit'));
  await agent.catchesUp();
  assert.equal(openRequests(connection).incoming, 2);
  agent.say(tell('$/cancel_request', { requestId: '1' }));
  await agent.hearsAnswer('1');
  await agent.catchesUp();
  assert.equal(openRequests(connection).incoming, 1);
  agent.say(tell('$/cancel_request', { requestId: 1 }));
  await agent.hearsAnswer(1);
  await agent.catchesUp();
  assert.equal(openRequests(connection).incoming, 0);
  connection.dispose();
});

test('a cancelled handler may still respond or throw its own error', async () => {
  const { agent, connection } = connected();
  connection.onRequest(clientMethods.requestPermission, async (_, signal) => {
    await untilAborted(signal).catch(() => undefined);
    return cancelled;
  });
  connection.onRequest(clientMethods.readTextFile, async (_, signal) => {
    await untilAborted(signal).catch(() => undefined);
    throw invalidParams('no');
  });
  agent.say(call(1, 'session/request_permission'), call(2, 'fs/read_text_file'));
  agent.say(tell('$/cancel_request', { requestId: 1 }), tell('$/cancel_request', { requestId: 2 }));
  assert.deepEqual((await agent.hearsAnswer(1))['result'], cancelled);
  assert.equal(((await agent.hearsAnswer(2))['error'] as { code: number }).code, -32602);
  connection.dispose();
});

test('ignores cancels of unknown, answered, and malformed ids', async () => {
  const { agent, connection } = connected();
  connection.onRequest(clientMethods.readTextFile, () => ({ content: '' }));
  agent.say(
    call(1, 'fs/read_text_file'),
    tell('$/cancel_request', { requestId: 77 }),
    tell('$/cancel_request', {}),
    { jsonrpc: '2.0', method: '$/cancel_request' },
    tell('$/cancelRequest', { id: 1 }),
    { jsonrpc: '2.0', method: '$/cancelRequest' },
  );
  await agent.catchesUp();
  agent.say(tell('$/cancel_request', { requestId: 1 }));
  await agent.catchesUp();
  assert.deepEqual((await agent.hearsAnswer(1))['result'], { content: '' });
  assert.equal(agent.heard.length, 3, 'one answer and two times catching up');
  connection.dispose();
});
