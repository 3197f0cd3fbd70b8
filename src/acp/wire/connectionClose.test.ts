import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { connected, notes, openRequests } from '../../../test/unit-support/connectedAgent';
import { answer, call, tell, type ScriptedAgent } from '../../../test/unit-support/scriptedAgent';
import { AcpConnection } from './connection';
import { ndjson } from './ndjson';
import { ConnectionClosedError } from '../base/errors';
import { agentMethods, clientMethods } from './methods';
import type { RequestPermissionResponse } from '../schema';

const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

function closing(connection: AcpConnection): Promise<void> {
  return new Promise((resolve) => connection.onDidClose(resolve));
}

const ends: Record<string, (agent: ScriptedAgent, connection: AcpConnection) => void> = {
  'stdout ends': (agent) => agent.stdout.end(),
  'stdout breaks': (agent) => agent.stdout.destroy(new Error('EIO')),
  'stdout vanishes': (agent) => agent.stdout.destroy(),
  'stdin breaks': (agent) => agent.stdin.destroy(new Error('EPIPE')),
  'stdin vanishes': (agent) => agent.stdin.destroy(),
  'this side disposes it': (_, connection) => {
    connection.dispose();
  },
  'a line is too long': (agent) => agent.stdout.write(Buffer.alloc(33 * 1024 * 1024, 'x')),
};

for (const [how, end] of Object.entries(ends)) {
  test(`when ${how}, settles all pending promises and cancels all handlers`, { timeout: 10_000 }, async () => {
    const { agent, connection } = connected({ farewellMilliseconds: 20 });
    let aborted = 0;
    connection.onRequest(clientMethods.requestPermission, async (_, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted++;
      return cancelled;
    });
    const closed = closing(connection);
    agent.say(call(1, 'session/request_permission'), call(2, 'session/request_permission'));
    await agent.catchesUp();
    const pending = [
      connection.request(agentMethods.prompt, { sessionId: 's', prompt: [] }),
      connection.request(agentMethods.newSession, { cwd: '/w', mcpServers: [] }, new AbortController().signal),
    ];
    end(agent, connection);
    for (const request of pending) await assert.rejects(request, ConnectionClosedError);
    await closed;
    assert.equal(aborted, 2);
    assert.equal(openRequests(connection).outgoing, 0);
    await assert.rejects(connection.request(agentMethods.listSessions, {}), ConnectionClosedError);
    await assert.rejects(connection.notify(agentMethods.cancel, { sessionId: 's' }), ConnectionClosedError);
    connection.onRequest(clientMethods.readTextFile, () => ({ content: '' })).dispose();
    connection.dispose();
    connection.dispose();
  });
}

test('closing at any point of a conversation settles every promise', { timeout: 30_000 }, async () => {
  const script = [
    answer(0, { protocolVersion: 1 }),
    tell('session/update', {}),
    answer(1, { sessionId: 's' }),
    call('r', 'fs/read_text_file', {}),
    tell('session/update', {}),
    answer(2, { stopReason: 'end_turn' }),
    tell('session/update', {}),
  ];
  const bytes = Buffer.from(script.map((message) => `${JSON.stringify(message)}\n`).join(''));
  for (let cut = 0; cut <= bytes.length; cut += 3) {
    const { agent, connection } = connected();
    const closed = closing(connection);
    let updates = 0;
    connection.onNotification(clientMethods.sessionUpdate, () => updates++);
    connection.onRequest(clientMethods.readTextFile, () => ({ content: '' }));
    const outcomes = [
      connection.request(agentMethods.initialize, { protocolVersion: 1 }),
      connection.request(agentMethods.newSession, { cwd: '/w', mcpServers: [] }),
      connection.request(agentMethods.prompt, { sessionId: 's', prompt: [] }),
    ].map((request) =>
      request.then(
        () => true,
        (error: unknown) => !(error instanceof ConnectionClosedError),
      ),
    );
    agent.stdout.end(bytes.subarray(0, cut));
    await closed;
    const said = bytes.subarray(0, cut).toString();
    // The last line needs no line break.
    const whole = script.filter((message) => said.includes(JSON.stringify(message)));
    const answered = [0, 1, 2].map((id) => whole.some((message) => message['id'] === id));
    assert.deepEqual(await Promise.all(outcomes), answered, `closed after ${cut} bytes`);
    const expected = said.split('\n').filter((line) => line === JSON.stringify(script[1])).length;
    assert.equal(updates, expected);
    assert.deepEqual(openRequests(connection), { incoming: 0, outgoing: 0 });
  }
});

test('resolves the last response of an exiting agent before closing', { timeout: 10_000 }, async () => {
  const script = `
    process.stdin.once('data', () => {
      process.stdout.write('{"jsonrpc":"2.0","id":0,"result":{"stopReason":"end_turn"}}\\n'.padStart(100_000), () => process.exit(3));
    });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = new AcpConnection(ndjson({ input: child.stdout, output: child.stdin }));
  const order: string[] = [];
  const closed = closing(connection).then(() => order.push('closed'));
  connection.listen();
  const turn = connection.request(agentMethods.prompt, { sessionId: 's', prompt: [] });
  const late = connection.request(agentMethods.listSessions, {});
  assert.deepEqual(await turn, { stopReason: 'end_turn' });
  order.push('answered');
  await assert.rejects(late, ConnectionClosedError);
  await closed;
  assert.deepEqual(order, ['answered', 'closed']);
});

test('killing the agent during a write closes the connection without a crash', { timeout: 10_000 }, async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const connection = new AcpConnection(ndjson({ input: child.stdout, output: child.stdin }));
  const closed = closing(connection);
  connection.listen();
  const text = 'x'.repeat(50_000);
  const prompts = Array.from({ length: 20 }, () =>
    connection.request(agentMethods.prompt, { sessionId: 's', prompt: [{ type: 'text', text }] }),
  );
  const settled = Promise.allSettled(prompts);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await closed;
  for (const outcome of await settled) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ConnectionClosedError);
  }
});

test('fires the close event once and logs it', async () => {
  const { agent, connection, traffic } = connected();
  let closes = 0;
  connection.onDidClose(() => closes++);
  const closed = closing(connection);
  agent.stdout.end();
  await closed;
  connection.dispose();
  assert.equal(closes, 1);
  assert.deepEqual(notes(traffic), ['The connection closed.']);
});

test('a handler can dispose the connection in the middle of a chunk', async () => {
  const { agent, connection } = connected();
  let updates = 0;
  connection.onNotification(clientMethods.sessionUpdate, () => {
    updates++;
    connection.dispose();
  });
  const closed = closing(connection);
  agent.say(tell('session/update'), tell('session/update'), call(1, 'fs/read_text_file'));
  await closed;
  assert.equal(updates, 1);
  assert.equal(agent.heard.length, 0);
});

test('after disposal the caller owns the streams, and stream errors are harmless', async () => {
  const { agent, connection } = connected();
  connection.dispose();
  assert.equal(agent.stdin.writableEnded, false);
  const gone = Promise.all(
    [agent.stdin, agent.stdout].map((stream) => new Promise((done) => stream.once('close', done))),
  );
  agent.stdin.destroy(new Error('EPIPE'));
  agent.stdout.destroy(new Error('EIO'));
  await gone;
});

test('stops reading from an agent that never reads, then gives up', { timeout: 20_000 }, async () => {
  const asks = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'fs/read_text_file', params: { path: '/a' } });
  const code = `const line = ${JSON.stringify(asks)} + '\\n'; const ask = () => process.stdout.write(line.repeat(100), ask); ask();`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'ignore'] });
  const limits = { blockedAt: 2_000_000, patienceMs: 200 };
  const connection = new AcpConnection(ndjson({ input: child.stdout, output: child.stdin }, limits));
  let answered = 0;
  connection.onRequest(clientMethods.readTextFile, () => {
    answered += 1;
    return { content: 'x'.repeat(200_000) };
  });
  connection.listen();
  await connection.ended;
  assert.equal(connection.sawNoReading, true);
  assert.ok(answered < 50, `${answered} answers were made`);
  child.kill();
  await once(child, 'exit');
  connection.dispose();
});
