import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authRequired } from '../acp/base/errors';
import { FakeAgent, SessionHarness } from '../../test/unit-support/fakeSession';
import { choicesOf } from './loginCard';
import { Session } from './session';
import { toStored } from './transcript/storedSession';

const methods = [
  { id: 'web', name: 'With the browser', type: 'agent' },
  { id: 'key', name: 'With a key', type: 'apiKey' },
] as const;

/** A session whose agent has answered `initialize`. */
function initializedSession(): SessionHarness {
  const harness = new SessionHarness();
  harness.session.agentSide.agentKnown('1', methods);
  return harness;
}

/** A session whose agent refused the message because it requires a login. */
async function refusedSession(...texts: readonly string[]): Promise<SessionHarness> {
  const harness = initializedSession().open();
  for (const text of texts) harness.session.sendPrompt(text);
  await harness.agent.fail(authRequired());
  return harness;
}

const card = (harness: SessionHarness) => harness.all('login').at(-1);

test('login methods with equal names are distinguished', () => {
  const name = 'Log in';
  const same = [
    { id: 'web', name, type: 'agent' } as const,
    { id: 'cli', name, type: 'terminal', args: [], env: {} } as const,
    { id: 'eu', name: 'With a key', type: 'apiKey' } as const,
    { id: 'us', name: 'With a key', type: 'apiKey' } as const,
  ];
  const names = choicesOf([...same, { id: 'other', name: 'Other', type: 'agent' }]).map((one) => one.name);
  assert.deepEqual(names, [
    'Log in (in the browser)',
    'Log in (in a terminal)',
    'With a key (eu)',
    'With a key (us)',
    'Other',
  ]);
});

test('a login in a terminal shows the variables that the agent sets', () => {
  const methods = [
    { id: 'own', name: 'Own', type: 'terminal', args: ['--login'], env: { MODE: 'quiet' } },
    { id: 'plain', name: 'Plain', type: 'terminal', args: ['--login'], env: {} },
    { id: 'other', name: 'Other', type: 'command', command: 'agent', args: ['auth'], env: { MODE: 'quiet' } },
  ] as const;
  assert.deepEqual(
    choicesOf(methods).map(({ command }) => command),
    ['MODE=quiet … --login', undefined, 'MODE=quiet agent auth'],
  );
});

test('keeps a refused message and sends it again on request', async () => {
  const harness = await refusedSession('Fix it', 'Then this');
  assert.deepEqual(
    card(harness)!.methods.map(({ name, how }) => [name, how]),
    [
      ['With the browser', 'agent'],
      ['With a key', 'apiKey'],
    ],
  );
  assert.deepEqual([card(harness)!.waits, card(harness)!.isOpen], [true, true]);
  harness.session.login.done();
  assert.equal(card(harness)!.progress.state, 'done');
  assert.deepEqual(harness.agent.heard, ['prompt Fix it']);
  harness.session.sendAgain();
  harness.session.sendAgain();
  assert.deepEqual(harness.agent.heard, ['prompt Fix it', 'prompt Fix it']);
  assert.deepEqual(harness.all('login'), []);
  assert.match(harness.text, /Notice \(info\): Logged in to Codex/);
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard, ['prompt Fix it', 'prompt Fix it', 'prompt Then this']);
});

test('shows and sends an unsent message once, after the click', () => {
  const harness = initializedSession();
  harness.session.sendPrompt('Fix it');
  harness.session.agentSide.awaitLogin();
  harness.session.login.ask();
  assert.deepEqual(harness.view.connection, { state: 'login' });
  assert.deepEqual([card(harness)!.waits, card(harness)!.isOpen], [true, false]);
  harness.session.sendPrompt('And that');
  harness.open();
  assert.deepEqual(harness.agent.heard, []);
  assert.equal(card(harness)!.progress.state, 'done');
  harness.session.sendAgain();
  assert.deepEqual(harness.agent.heard, ['prompt Fix it']);
  assert.equal(harness.all('user_message').length, 1);
  assert.deepEqual(
    harness.view.queue.map(({ text }) => text),
    ['And that'],
  );
});

test('a message after the login sends the waiting message first', async () => {
  const harness = initializedSession();
  harness.session.sendPrompt('one');
  harness.session.agentSide.awaitLogin();
  harness.session.login.ask();
  harness.open();
  harness.session.sendPrompt('two');
  assert.deepEqual(harness.agent.heard, ['prompt one']);
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard, ['prompt one', 'prompt two']);
});

test('a message below the login card takes the card along', () => {
  const harness = initializedSession();
  harness.session.agentSide.awaitLogin();
  harness.session.login.ask();
  harness.session.login.card.show({ state: 'running', methodId: 'key' });
  harness.session.sendPrompt('Fix it');
  assert.match(
    harness.text,
    /Codex asked you to log in[\s\S]*You:\n {2}Fix it[\s\S]*Login \(running, a message waits\)/,
  );
  harness.session.login.card.show({ state: 'asked' });
  assert.deepEqual([harness.all('login').length, card(harness)!.progress.state], [1, 'asked']);
  harness.open();
  assert.deepEqual(harness.agent.heard, []);
  harness.session.sendAgain();
  assert.deepEqual(harness.agent.heard, ['prompt Fix it']);
});

test('a message written after the login needs no further click', () => {
  const harness = initializedSession();
  harness.session.agentSide.awaitLogin();
  harness.session.login.ask();
  harness.session.login.card.through();
  harness.session.sendPrompt('Fix it');
  harness.open();
  assert.deepEqual(harness.agent.heard, ['prompt Fix it']);
  assert.deepEqual(harness.all('login'), []);
  assert.match(harness.text, /asked you to log in[\s\S]*You:\n {2}Fix it[\s\S]*Logged in to Codex/);
});

test('keeps a message if the session needs another login', () => {
  const harness = initializedSession();
  harness.session.agentSide.awaitLogin();
  harness.session.login.ask();
  harness.session.login.card.through();
  harness.session.sendPrompt('Fix it');
  harness.session.agentSide.awaitLogin();
  harness.session.login.ask();
  harness.open();
  assert.deepEqual(harness.agent.heard, []);
  assert.deepEqual([card(harness)!.progress.state, card(harness)!.waits], ['done', true]);
});

test('a login without a waiting message ends as a line', () => {
  const harness = initializedSession();
  harness.session.agentSide.awaitLogin();
  harness.session.login.ask();
  assert.equal(card(harness)!.waits, false);
  harness.open();
  assert.deepEqual(harness.all('login'), []);
  harness.session.sendPrompt('now');
  assert.deepEqual(harness.agent.heard, ['prompt now']);
});

test('a waiting message and its card survive a replay without being resent', async () => {
  const harness = await refusedSession('Fix it');
  harness.session.agentSide.disconnected(undefined);
  harness.agent = new FakeAgent();
  harness.session.agentSide.connecting('opening');
  harness.session.replay.begin();
  harness.update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Fix it' } });
  harness.open({}, false);
  assert.deepEqual(harness.agent.heard, []);
  assert.equal(card(harness)!.progress.state, 'done');
  harness.session.sendAgain();
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard, ['prompt Fix it']);
});

test('sends an unsent message once that a replay moved to the queue', async () => {
  const harness = initializedSession();
  harness.session.sendPrompt('Fix it');
  harness.session.agentSide.awaitLogin();
  harness.session.login.ask();
  harness.session.replay.begin();
  harness.open({}, false);
  assert.deepEqual(harness.agent.heard, []);
  harness.session.sendAgain();
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard, ['prompt Fix it']);
});

test('a refused setting is undone, and the login card replaces its notice', async () => {
  const option = {
    id: 'm',
    name: 'Model',
    type: 'select',
    currentValue: 'a',
    options: [{ value: 'a' }, { value: 'b' }],
  };
  const harness = initializedSession().open();
  harness.update({
    sessionUpdate: 'config_option_update',
    configOptions: [{ ...option, options: option.options.map((one) => ({ ...one, name: one.value })) }],
  });
  void harness.session.setConfigOption('m', 'b');
  harness.agent.changes[0]!.reject(authRequired());
  await new Promise(setImmediate);
  assert.equal(harness.view.configOptions[0]!.currentValue, 'a');
  assert.equal(card(harness)!.waits, false);
  assert.deepEqual(harness.all('notice'), []);
});

test('a message not steered before a login is sent alone afterwards', async () => {
  const harness = initializedSession();
  harness.agent.steer = () => Promise.reject(authRequired());
  harness.open();
  harness.session.sendPrompt('Begin');
  harness.session.sendPrompt('Mind the tests');
  const [waits] = harness.view.queue;
  harness.session.sendQueued(waits!.id, 'steer');
  await new Promise(setImmediate);
  assert.deepEqual([card(harness)!.progress.state, card(harness)!.waits], ['asked', true]);
  assert.deepEqual(harness.all('notice'), []);
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard, ['prompt Begin']);
  harness.session.login.done();
  assert.deepEqual(harness.agent.heard, ['prompt Begin']);
  harness.session.sendAgain();
  assert.deepEqual(harness.agent.heard, ['prompt Begin', 'prompt Mind the tests']);
});

test('send again during a running turn sends the waiting messages after it', async () => {
  const harness = initializedSession();
  harness.agent.steer = () => Promise.reject(authRequired());
  harness.open();
  harness.session.sendPrompt('Begin');
  harness.session.sendPrompt('Mind the tests');
  harness.session.sendQueued(harness.view.queue[0]!.id, 'steer');
  await new Promise(setImmediate);
  harness.session.login.done();
  harness.session.sendAgain();
  assert.deepEqual(harness.all('login'), []);
  assert.deepEqual(harness.agent.heard, ['prompt Begin']);
  await harness.agent.end();
  assert.deepEqual(harness.agent.heard, ['prompt Begin', 'prompt Mind the tests']);
});

test('asking again keeps one card, and an older one becomes a line', async () => {
  const harness = await refusedSession('one');
  harness.session.login.ask();
  assert.equal(harness.all('login').length, 1);
  harness.session.sendAgain();
  await harness.agent.fail(authRequired());
  assert.equal(harness.all('login').length, 1);
  assert.match(harness.text, /Codex asked you to log in[\s\S]*You:\n {2}one[\s\S]*Login \(asked, a message waits\)/);
});

test('does not restart a running login; a failed opening resets the card', async () => {
  const harness = await refusedSession('one');
  harness.session.login.card.show({ state: 'running', methodId: 'web' });
  harness.session.login.ask();
  assert.equal(card(harness)!.progress.state, 'running');
  harness.session.login.card.through();
  harness.session.agentSide.disconnected(undefined);
  assert.deepEqual([card(harness)!.progress.state, card(harness)!.isOpen], ['asked', false]);
});

test('the next window shows the card and still offers the message', async () => {
  const harness = await refusedSession('Fix it');
  harness.session.login.card.show({ state: 'running', methodId: 'web' });
  const stored = toStored(harness.session.key, harness.session.transcript);
  const { key } = harness.session;
  const { now, schedule } = harness.clock;
  const session = new Session({
    key,
    agentId: harness.view.agentId,
    agentName: 'Codex',
    cwd: '/',
    now,
    schedule,
    stored,
    owner: harness.owner,
  });
  const entry = [...session.transcript.entries.values()].find(({ kind }) => kind === 'login');
  assert.ok(entry?.kind === 'login');
  assert.deepEqual([entry.progress.state, entry.waits, entry.isOpen], ['asked', true, false]);
  session.sendAgain();
  assert.deepEqual(harness.owner.asked, ['restart']);
  const agent = new FakeAgent();
  session.agentSide.opened(agent, { sessionId: agent.sessionId, configOptions: [] }, false);
  assert.deepEqual(agent.heard, ['prompt Fix it']);
});
