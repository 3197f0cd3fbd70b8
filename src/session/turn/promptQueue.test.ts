import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import type { ContentBlock } from '../../shared/transcript/content';
import type { SteeringOutcome } from '../../acp/shape/sessionChannel';

const link = { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' } as const;
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png', name: 'shot.png' } as const;

/** A session with one running turn and several waiting messages. */
function waiting(...texts: readonly string[]) {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('begin');
  for (const text of texts) harness.session.sendPrompt(text);
  const idOf = (text: string) => harness.view.queue.find((prompt) => prompt.text === text)?.id ?? assert.fail(text);
  const order = () => harness.view.queue.map(({ text }) => text);
  return { harness, session: harness.session, idOf, order };
}

test('sends, shows, and keeps attachments of a queued message', async () => {
  const { harness, session } = waiting();
  session.sendPrompt('look', [link, image]);
  assert.deepEqual(harness.view.queue[0]?.attachments, [link, image]);
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard, ['prompt begin', 'prompt look + resource_link + image']);
  const { data, mimeType } = image;
  const shown: readonly ContentBlock[] = [{ type: 'text', text: 'look' }, link, { type: 'image', data, mimeType }];
  assert.deepEqual(harness.all('user_message').at(-1)?.content, shown);
  harness.agent.leaveOut([{ type: 'image', data, mimeType }]);
  assert.match(harness.text, /Codex doesn’t support images/);
});

test('sends a failed message again with all attachments', async () => {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('look', [link]);
  await harness.agent.fail(new Error('overloaded'));
  harness.session.sendAgain();
  assert.deepEqual(harness.agent.heard, ['prompt look + resource_link', 'prompt look + resource_link']);
});

test('sends messages in their new order after moving them', async () => {
  const { harness, session, idOf, order } = waiting('one', 'two', 'three');
  session.queue.move(idOf('three'), 0);
  session.queue.move(idOf('one'), 99);
  session.queue.move('gone', 0);
  assert.deepEqual(order(), ['three', 'two', 'one']);
  await harness.agent.end();
  assert.equal(harness.agent.heard.at(-1), 'prompt three');
});

test('returns an edited message to its place among those left', async () => {
  const { harness, session, idOf, order } = waiting('one', 'two', 'three');
  const [one, two] = [idOf('one'), idOf('two')];
  session.queue.remove(two);
  session.sendPrompt('four');
  session.sendPrompt('two, edited', [link], [one]);
  assert.deepEqual(order(), ['one', 'two, edited', 'three', 'four']);
  session.queue.remove(idOf('two, edited'));
  await harness.agent.end();
  session.sendPrompt('two, edited again', [], [one]);
  assert.deepEqual(order(), ['two, edited again', 'three', 'four']);
});

test('stops the turn and sends the chosen message next', async () => {
  const { harness, session, idOf, order } = waiting('one', 'two');
  session.sendQueued(idOf('two'), 'stopAndSend');
  assert.deepEqual(harness.agent.heard, ['prompt begin', 'cancel']);
  assert.deepEqual(order(), ['two', 'one']);
  await harness.agent.end('cancelled');
  assert.deepEqual(harness.agent.heard, ['prompt begin', 'cancel', 'prompt two']);
  assert.deepEqual(order(), ['one']);
});

test('shows a steered message in the turn and hides its echo', async () => {
  const { harness, session, idOf, order } = waiting();
  harness.agent.steer = () => Promise.resolve('injected');
  session.sendPrompt('mind the tests');
  session.sendQueued(idOf('mind the tests'), 'steer');
  await settle();
  assert.deepEqual(order(), []);
  const chunk = (text: string) => ({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text } });
  harness.update(chunk('mind the'), chunk(' tests'));
  harness.say('I do.');
  assert.match(harness.text, /You:\n {2}mind the tests\n\nCodex:\n {2}I do\./);
  assert.equal(harness.all('user_message').length, 2);
  assert.equal(harness.view.activity.state, 'running');
});

test("keeps a message queued that can't be added to the turn", async () => {
  const { harness, session, idOf, order } = waiting('one');
  session.sendQueued(idOf('one'), 'steer');
  await settle();
  assert.deepEqual(order(), ['one']);
  for (const steer of [() => Promise.resolve('failed' as const), () => Promise.reject(new Error('no'))]) {
    harness.agent.steer = steer;
    session.sendQueued(idOf('one'), 'steer');
    await settle();
    assert.deepEqual(order(), ['one']);
    assert.match(harness.text, /Codex couldn’t add the message to this turn; it stays queued/);
  }
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard, ['prompt begin', 'prompt one']);
});

test('never sends a message twice, whenever the turn and the response end', async () => {
  for (const outcome of ['failed', 'injected'] as const) {
    const { harness, session, idOf, order } = waiting('one');
    let answer: (outcome: SteeringOutcome) => void = () => undefined;
    harness.agent.steer = () => new Promise((resolve) => (answer = resolve));
    session.sendQueued(idOf('one'), 'steer');
    await harness.agent.end();
    assert.deepEqual(harness.agent.heard, ['prompt begin'], 'it may be with the agent already');
    answer(outcome);
    await settle();
    assert.deepEqual(order(), []);
    assert.deepEqual(harness.agent.heard.slice(1), outcome === 'failed' ? ['prompt one'] : []);
    assert.equal(harness.all('user_message').length, 2);
  }
});

test('sends a late steered message once, in another turn', async () => {
  for (const [outcome, heard] of [
    ['startedNewTurn', ['prompt begin']],
    ['promptRequired', ['prompt begin', 'prompt one']],
  ] as const) {
    const { harness, session, idOf, order } = waiting('one');
    let answer: (outcome: SteeringOutcome) => void = () => undefined;
    harness.agent.steer = () => new Promise((resolve) => (answer = resolve));
    session.sendQueued(idOf('one'), 'steer');
    await harness.agent.end();
    assert.deepEqual(order(), ['one']);
    answer(outcome);
    await settle();
    assert.deepEqual(harness.agent.heard, heard);
    assert.deepEqual(order(), []);
    assert.equal(harness.all('user_message').length, 2);
    assert.deepEqual(
      harness.all('user_message').map(({ turn }) => turn),
      [1, 2],
    );
    assert.equal(harness.view.activity.state, outcome === 'promptRequired' ? 'running' : 'idle');
    assert.deepEqual(
      harness
        .all('notice')
        .map(({ title }) => title)
        .filter((title) => /couldn’t add the message/.test(title)),
      [],
    );
  }
});

test('sends no queued message after Stop until the user asks', async () => {
  const { harness, session, order } = waiting('one', 'two');
  session.cancel();
  assert.equal(harness.view.isQueueHeld, true);
  await harness.agent.end('cancelled');
  assert.deepEqual(
    [harness.agent.heard, order()],
    [
      ['prompt begin', 'cancel'],
      ['one', 'two'],
    ],
  );
  session.resumeQueue();
  assert.deepEqual([harness.agent.heard.slice(2), order()], [['prompt one'], ['two']]);
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard.slice(2), ['prompt one', 'prompt two']);
});

test('sends messages after Stop in order and keeps earlier ones queued', async () => {
  const { harness, session, idOf, order } = waiting('one', 'two', 'three');
  session.cancel();
  session.sendPrompt('instead');
  session.sendPrompt('and this');
  await harness.agent.end('cancelled');
  await harness.agent.end();
  await harness.agent.end();
  session.sendPrompt('later');
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard.slice(2), ['prompt instead', 'prompt and this', 'prompt later']);
  session.sendQueued(idOf('two'), 'stopAndSend');
  await harness.agent.end();
  assert.deepEqual([harness.agent.heard.at(-1), order()], ['prompt two', ['one', 'three']]);
  session.queue.remove(idOf('one'));
  session.queue.remove(idOf('three'));
  assert.equal(harness.view.isQueueHeld, false, 'Nothing is held any more.');
});

test('Stop overrides a message that was about to replace the turn', async () => {
  const { harness, session, idOf, order } = waiting('one', 'two');
  session.sendQueued(idOf('two'), 'stopAndSend');
  session.cancel();
  await harness.agent.end('cancelled');
  assert.deepEqual(
    [harness.agent.heard, order()],
    [
      ['prompt begin', 'cancel'],
      ['two', 'one'],
    ],
  );
});

test('Stop holds the queue even without a running agent', async () => {
  const { harness, session, order } = waiting('one');
  session.cancel();
  session.agentSide.disconnected(undefined);
  session.restart();
  harness.open();
  assert.deepEqual([harness.agent.heard.filter((one) => one === 'prompt one'), order()], [[], ['one']]);
  session.endProcess();
  session.resumeQueue();
  assert.deepEqual(order(), []);

  const early = new SessionHarness();
  early.session.sendPrompt('first');
  early.session.sendPrompt('second');
  early.session.cancel();
  early.open();
  assert.deepEqual([early.agent.heard, early.view.queue.length], [[], 1]);

  const ended = waiting('one');
  ended.session.endProcess();
  ended.session.agentSide.disconnected(undefined);
  ended.session.restart();
  ended.harness.open();
  assert.deepEqual(ended.order(), ['one']);
  await settle();
});
