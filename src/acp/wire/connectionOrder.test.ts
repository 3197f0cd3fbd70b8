import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, openRequests } from '../../../test/unit-support/connectedAgent';
import { answer, call, tell } from '../../../test/unit-support/scriptedAgent';
import { agentMethods, clientMethods } from './methods';

const prompt = { sessionId: 's', prompt: [] };

test('a response resolves between the updates before and after it', async () => {
  const { agent, connection } = connected();
  for (let round = 0; round < 50; round++) {
    let updates = 0;
    const subscription = connection.onNotification(clientMethods.sessionUpdate, () => updates++);
    const turn = connection.request(agentMethods.prompt, prompt).then(async () => {
      await Promise.resolve();
      return updates;
    });
    agent.say(...Array.from({ length: 100 }, () => tell('session/update')), answer(round, {}), tell('session/update'));
    assert.equal(await turn, 100, `round ${round}`);
    await agent.catchesUp();
    assert.equal(updates, 101);
    subscription.dispose();
  }
  connection.dispose();
});

test('a response overtakes none of 50,000 updates mixed with agent requests', { timeout: 60_000 }, async () => {
  const { agent, connection } = connected();
  let updates = 0;
  const seen: number[] = [];
  connection.onNotification(clientMethods.sessionUpdate, () => updates++);
  connection.onRequest(clientMethods.readTextFile, () => {
    seen.push(updates);
    return { content: '' };
  });
  const turn = connection.request(agentMethods.prompt, prompt);
  await agent.hearsCall('session/prompt');
  for (let part = 0; part < 50; part++) {
    agent.say(...Array.from({ length: 1000 }, () => tell('session/update')), call(part, 'fs/read_text_file'));
  }
  agent.say(answer(0, { stopReason: 'end_turn' }));
  await turn;
  assert.equal(updates, 50_000);
  assert.deepEqual(
    seen,
    Array.from({ length: 50 }, (_, part) => (part + 1) * 1000),
  );
  connection.dispose();
});

test("returns the agent's ids unchanged", async () => {
  const { agent, connection } = connected();
  connection.onRequest(clientMethods.readTextFile, () => ({ content: 'x' }));
  const ids = ['a', 7, 0, -1, '', 'x'.repeat(10_000), 1.5];
  agent.say(...ids.map((id) => call(id, 'fs/read_text_file')));
  for (const id of ids) {
    assert.deepEqual(await agent.hearsAnswer(id), { jsonrpc: '2.0', id, result: { content: 'x' } });
  }
  connection.dispose();
});

test('answers requests with ids 1 and "1" and with duplicate ids', async () => {
  const { agent, connection } = connected();
  connection.onRequest(clientMethods.readTextFile, (params) => ({ content: String((params as { n: number }).n) }));
  agent.say(...[1, '1', 1].map((id, n) => call(id, 'fs/read_text_file', { n })));
  await agent.catchesUp();
  assert.deepEqual(
    agent.heard.slice(0, 3).map((message) => [message['id'], message['result']]),
    [1, '1', 1].map((id, n) => [id, { content: String(n) }]),
  );
  connection.dispose();
});

test('answers a request of id null as invalid and continues', async () => {
  const { agent, connection } = connected();
  agent.say(call(null, 'fs/read_text_file'));
  await agent.catchesUp();
  assert.equal(agent.heard[0]?.['id'], null);
  assert.equal((agent.heard[0]['error'] as { code: number }).code, -32600);
  connection.dispose();
});

test('numbers requests from 0 and accepts ids returned as strings', async () => {
  const { agent, connection } = connected();
  const requests = [0, 1, 2].map(() => connection.request(agentMethods.listSessions, {}));
  await agent.hears((message) => message['id'] === 2);
  agent.say(answer('2', { n: 2 }), answer(1, { n: 1 }), answer('0', { n: 0 }));
  assert.deepEqual(await Promise.all(requests), [{ n: 0 }, { n: 1 }, { n: 2 }]);
  assert.deepEqual(openRequests(connection), { incoming: 0, outgoing: 0 });
  connection.dispose();
});

test('answers requests concurrently and in any order', async () => {
  const { agent, connection } = connected();
  const release = new Map<string, () => void>();
  connection.onRequest(clientMethods.waitForTerminalExit, async (params) => {
    const { terminalId } = params as { terminalId: string };
    await new Promise<void>((resolve) => release.set(terminalId, resolve));
    return { exitCode: 0 };
  });
  connection.onRequest(clientMethods.readTextFile, () => ({ content: '' }));
  agent.say(
    call(1, 'terminal/wait_for_exit', { terminalId: 'a' }),
    call(2, 'terminal/wait_for_exit', { terminalId: 'b' }),
    call(3, 'fs/read_text_file'),
  );
  await agent.hearsAnswer(3);
  release.get('b')?.();
  await agent.hearsAnswer(2);
  release.get('a')?.();
  await agent.hearsAnswer(1);
  assert.deepEqual(
    agent.heard.map((message) => message['id']),
    [3, 2, 1],
  );
  connection.dispose();
});

test('ignores duplicate responses and responses to unknown requests', async () => {
  const { agent, connection, traffic } = connected();
  const request = connection.request(agentMethods.listSessions, {});
  agent.say(answer(9999, {}), answer(0, { n: 1 }), answer(0, { n: 2 }), { jsonrpc: '2.0', error: { code: -32700 } });
  assert.deepEqual(await request, { n: 1 });
  await agent.catchesUp();
  assert.equal(agent.heard.length, 2, 'nobody was told');
  assert.equal(traffic.entries().filter((entry) => entry.direction === 'noise').length, 2);
  connection.dispose();
});
