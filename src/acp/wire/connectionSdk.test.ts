import assert from 'node:assert/strict';
import { PassThrough, Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import type * as SdkModule from '@agentclientprotocol/sdk';
import { AcpConnection } from './connection';
import { ndjson } from './ndjson';
import { isRequestCancelled, ResponseError } from '../base/errors';
import { answeredVersion } from '../dialects';
import { agentMethods, clientMethods } from './methods';
import type { RequestPermissionResponse } from '../schema';

/** The agent side of the protocol's own SDK, which most TypeScript agents use. */
function sdkAgent({ agent, methods }: typeof SdkModule): SdkModule.AgentApp {
  let release: ((reason: 'cancelled') => void) | undefined;
  return agent({ name: 'test' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: 's' }))
    .onRequest(methods.agent.session.list, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { sessions: [] };
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const cancelled = new Promise<'cancelled'>((resolve) => (release = resolve));
      for (let count = 0; count < 7; count++) {
        await client.notify(methods.client.session.update, {
          sessionId: params.sessionId,
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: String(count) } },
        });
      }
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId: params.sessionId,
        toolCall: { toolCallId: 't' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      });
      if (outcome.outcome === 'selected') return { stopReason: 'end_turn' };
      return { stopReason: await cancelled };
    })
    .onNotification(methods.agent.session.cancel, () => release?.('cancelled'));
}

test("completes a conversation with an agent built on the protocol's SDK", { timeout: 20_000 }, async () => {
  // An ES module, so it cannot be required.
  const sdk = await import('@agentclientprotocol/sdk');
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const webStdin = Readable.toWeb(stdin) as unknown as ReadableStream<Uint8Array>;
  const served = sdkAgent(sdk).connect(sdk.ndJsonStream(Writable.toWeb(stdout), webStdin));
  const connection = new AcpConnection(ndjson({ input: stdout, output: stdin }));
  const texts: string[] = [];
  let reachSecondTurn = () => {};
  const secondTurn = new Promise<void>((resolve) => (reachSecondTurn = resolve));
  let choice: RequestPermissionResponse = { outcome: { outcome: 'selected', optionId: 'yes' } };
  connection.onNotification(clientMethods.sessionUpdate, (params) => {
    texts.push((params as { update: { content: { text: string } } }).update.content.text);
    if (texts.length === 8) reachSecondTurn();
  });
  connection.onRequest(clientMethods.requestPermission, () => choice);
  connection.listen();

  const answer = await connection.request(agentMethods.initialize, { protocolVersion: 1 });
  assert.equal(answeredVersion(answer), 1);
  const { sessionId } = await connection.request(agentMethods.newSession, { cwd: '/w', mcpServers: [] });

  const prompt = { sessionId, prompt: [{ type: 'text' as const, text: 'go' }] };
  assert.deepEqual(await connection.request(agentMethods.prompt, prompt), { stopReason: 'end_turn' });
  assert.deepEqual(texts, ['0', '1', '2', '3', '4', '5', '6']);

  choice = { outcome: { outcome: 'cancelled' } };
  const cancelled = connection.request(agentMethods.prompt, prompt);
  await secondTurn;
  await connection.notify(agentMethods.cancel, { sessionId });
  assert.equal((await cancelled).stopReason, 'cancelled');

  const controller = new AbortController();
  const listing = connection.request(agentMethods.listSessions, {}, controller.signal);
  controller.abort();
  await assert.rejects(listing, isRequestCancelled);

  await assert.rejects(connection.request({ method: 'no/such' }, {}), { code: -32601 });
  await assert.rejects(connection.request(agentMethods.newSession, {} as never), (error) => {
    assert.ok(error instanceof ResponseError);
    assert.equal(error.code, -32602);
    assert.ok(error.data !== undefined);
    return true;
  });
  connection.dispose();
  served.close();
});
