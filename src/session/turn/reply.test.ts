// What the user writes to the agent together with an answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestKey } from '../../shared/values/ids';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';

/** A running turn with an open request, which `reject` rejects with words. */
function asked(prepare: (harness: SessionHarness) => void = () => undefined) {
  const harness = new SessionHarness();
  prepare(harness);
  harness.open();
  harness.session.sendPrompt('begin');
  const answer = harness.ask({ toolCallId: 'c1', title: 'npm install', kind: 'execute' }).then((outcome) => {
    harness.agent.heard.push(`answer ${JSON.stringify(outcome)}`);
  });
  const { permission } = harness.all('tool_call')[0] ?? assert.fail('no call');
  const request = permission.state === 'asked' ? permission.request : assert.fail(permission.state);
  const reject = async (text: string, key: RequestKey = request) => {
    harness.session.answerPermission(key, 'no', { text });
    await answer;
    harness.clock.pass(0);
    await settle();
  };
  return { harness, reject };
}

const no = 'answer {"outcome":{"outcome":"selected","optionId":"no"}}';

test('follows the answer as the next message, before those that wait', async () => {
  const { harness, reject } = asked();
  harness.session.sendPrompt('later');
  await reject('Use pnpm.');
  assert.deepEqual(harness.agent.heard, ['prompt begin', no]);
  assert.deepEqual(
    harness.view.queue.map(({ text }) => text),
    ['Use pnpm.', 'later'],
  );
  const { permission } = harness.all('tool_call')[0] ?? assert.fail('no call');
  assert.equal(permission.state === 'answered' && permission.reply, 'Use pnpm.');
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard, ['prompt begin', no, 'prompt Use pnpm.']);
});

test('joins the running turn if the agent takes messages there', async () => {
  const { harness, reject } = asked(({ agent }) => {
    agent.steer = (content) => {
      agent.heard.push(`steer ${content.map((block) => (block.type === 'text' ? block.text : '')).join('')}`);
      return Promise.resolve('injected');
    };
  });
  await reject('Use pnpm.');
  assert.deepEqual(harness.agent.heard, ['prompt begin', no, 'steer Use pnpm.']);
  assert.deepEqual(harness.view.queue, []);
  assert.equal(harness.all('user_message').length, 2);
});

test('reaches an agent of version 2 after the answer', async () => {
  const { harness, reject } = asked(({ agent }) => {
    agent.insertsPrompts = true;
  });
  await reject('Use pnpm.');
  assert.deepEqual(harness.agent.heard, ['prompt begin', no, 'prompt Use pnpm.']);
});

test('is sent even if the request is no longer open', async () => {
  const { harness, reject } = asked();
  harness.session.cancel();
  await harness.agent.end('cancelled');
  await reject('Use pnpm.');
  assert.equal(harness.agent.heard.at(-1), 'prompt Use pnpm.');
});
