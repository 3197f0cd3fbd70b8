import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRequestCancelled } from '../base/errors';
import type { SessionId } from '../../shared/values/ids';
import type { SessionUpdate } from '../shape/sessionUpdate';
import { createChannel } from './channel';

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
  const updates: SessionUpdate[] = [];
  channel.onDidUpdate((update) => updates.push(update));
  return { sent, channel, updates };
}

test('sends a prompt when the turn is prepared', async () => {
  let isReady: () => void = () => undefined;
  const { sent, channel, updates } = setUp(() => new Promise((resolve) => (isReady = resolve)));
  const answer = channel.prompt([{ type: 'text', text: 'Go' }], () => assert.fail('nothing is left out'));
  await new Promise(setImmediate);
  assert.deepEqual(sent, []);
  isReady();
  await answer;
  assert.deepEqual(updates, [{ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }]);
  assert.deepEqual(sent, ['session/prompt']);
  channel.cancel();
  assert.deepEqual(sent, ['session/prompt', 'session/cancel']);
});

test('never sends a prompt that was cancelled before it was sent', async () => {
  let isReady: () => void = () => undefined;
  const { sent, channel, updates } = setUp(() => new Promise((resolve) => (isReady = resolve)));
  const answer = channel.prompt([{ type: 'text', text: 'Go' }], () => assert.fail('nothing is left out'));
  channel.cancel();
  isReady();
  await assert.rejects(answer, (error) => isRequestCancelled(error));
  assert.deepEqual([sent, updates], [[], []]);
});
