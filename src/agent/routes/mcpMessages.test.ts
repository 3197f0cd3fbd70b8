import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AcpConnection } from '../../acp/wire/connection';
import { errorCodes, isAcpError } from '../../acp/base/errors';
import type { McpMessage, McpNotify, McpReply } from '../../session/services';
import { serveMcpMessages } from './mcpMessages';

const never = new AbortController().signal;

function served(hasServers = true) {
  const asked: { readonly message: McpMessage; readonly notify: McpNotify; readonly end: (reply: McpReply) => void }[] =
    [];
  const notified: unknown[] = [];
  let handle: ((params: unknown, signal: AbortSignal) => unknown) | undefined;
  const connection = {
    onRequest: (_: unknown, handler: typeof handle) => {
      handle = handler;
      return { dispose: () => undefined };
    },
    notify: (_: unknown, params: unknown) => void notified.push(params),
  } as unknown as Pick<AcpConnection, 'onRequest' | 'notify'>;
  serveMcpMessages(connection, {
    message: (message, notify) => (hasServers ? new Promise((end) => asked.push({ message, notify, end })) : undefined),
  });
  const send = async (params: object, signal = never) =>
    handle?.({ serverId: 's', requestId: '1', method: 'tools/list', ...params }, signal);
  return { asked, notified, send };
}

const failsWith = (code: number) => (error: unknown) => isAcpError(error) && error.code === code;

void describe('MCP messages of an agent', () => {
  void it('reach their server, whose notifications go back until the answer', async () => {
    const { asked, notified, send } = served();
    const answer = send({ params: { a: 1 } });
    const [call] = asked;
    assert.deepEqual(call?.message, { serverId: 's', method: 'tools/list', params: { a: 1 } });
    call.notify('notifications/progress', { progress: 1 });
    call.end({ result: { tools: [] } });
    assert.deepEqual(await answer, { result: { tools: [] } });
    call.notify('notifications/progress', { progress: 2 });
    const params = { progress: 1 };
    assert.deepEqual(notified, [{ serverId: 's', requestId: '1', method: 'notifications/progress', params }]);
  });

  void it('are refused if malformed, repeated while active, or too many', async () => {
    const { asked, send } = served();
    for (const wrong of [{ serverId: 1 }, { requestId: undefined }, { method: null }, { params: [] }]) {
      await assert.rejects(send(wrong), failsWith(errorCodes.invalidParams));
    }
    const first = send({});
    await assert.rejects(send({}), failsWith(errorCodes.invalidParams));
    const others = Array.from({ length: 63 }, (_, at) => send({ requestId: `more ${at}` }));
    await assert.rejects(send({ requestId: 'last' }), failsWith(-33000));
    for (const { end } of asked) end({ result: {} });
    await Promise.all([first, ...others]);
    const again = send({});
    asked.at(-1)?.end({ result: 'again' });
    assert.deepEqual(await again, { result: 'again' });
  });

  void it('are refused while Parley serves none', async () => {
    await assert.rejects(served(false).send({}), failsWith(-33001));
  });
});
