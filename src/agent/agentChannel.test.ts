import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRequestCancelled } from '../acp/errors';
import type { SessionId } from '../shared/ids';
import { createChannel } from './agentChannel';

function setUp(beforeTurn?: () => Promise<void>) {
  const sent: string[] = [];
  const connection = {
    request: (type: { method: string }) => {
      sent.push(type.method);
      return Promise.resolve({ stopReason: 'end_turn' });
    },
    notify: (type: { method: string }) => {
      sent.push(type.method);
      return Promise.resolve();
    },
  };
  const channel = createChannel(connection as never, 's1' as SessionId, {
    redact: (text) => text,
    ...(beforeTurn ? { beforeTurn } : {}),
  });
  return { sent, channel };
}

test('a prompt goes out once all is ready for the turn', async () => {
  let isReady: () => void = () => undefined;
  const { sent, channel } = setUp(() => new Promise((resolve) => (isReady = resolve)));
  const answer = channel.prompt([{ type: 'text', text: 'Go' }], () => assert.fail('nothing is left out'));
  await new Promise(setImmediate);
  assert.deepEqual(sent, []);
  isReady();
  assert.equal((await answer).stopReason, 'end_turn');
  assert.deepEqual(sent, ['session/prompt']);
  channel.cancel();
  assert.deepEqual(sent, ['session/prompt', 'session/cancel']);
});

test('a turn that is cancelled before its prompt went out never reaches the agent', async () => {
  let isReady: () => void = () => undefined;
  const { sent, channel } = setUp(() => new Promise((resolve) => (isReady = resolve)));
  const answer = channel.prompt([{ type: 'text', text: 'Go' }], () => assert.fail('nothing is left out'));
  channel.cancel();
  isReady();
  await assert.rejects(answer, (error) => isRequestCancelled(error));
  assert.deepEqual(sent, []);
});
