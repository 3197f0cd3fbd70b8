import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeAgent, SessionHarness, settle } from '../../../../test/unit-support/fakeSession';
import type { Session } from '../../../session/session';
import { Emitter } from '../../../shared/values/event';
import type { ConfigOption } from '../../../shared/transcript/transcript';
import { RememberedChoices } from './rememberedChoices';

const select = (configId: string, currentValue: string, ...values: readonly string[]): ConfigOption => ({
  configId,
  name: configId,
  via: 'configOptions',
  type: 'select',
  currentValue,
  choices: values.map((value) => ({ value, name: value })),
});
const model = select('model', 'small', 'small', 'large');
const mode = select('mode', 'ask', 'ask', 'plan', 'bypassPermissions');
const fast: ConfigOption = {
  configId: 'fast',
  name: 'Fast',
  via: 'configOptions',
  type: 'boolean',
  currentValue: false,
};

function setUp(waits?: () => Promise<void>) {
  const stored = new Map<string, unknown>();
  const memory = {
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => {
      stored.set(key, value);
      return Promise.resolve();
    },
  };
  const changed = new Emitter<void>();
  const sessions: Session[] = [];
  const choices = new RememberedChoices({ sessions, onDidChangeSessions: changed.event }, memory, waits);
  const begin = (agentName = 'Codex') => {
    const harness = new SessionHarness(agentName);
    harness.agent = new FakeAgent();
    sessions.push(harness.session);
    harness.session.onDidChangeState(() => changed.fire());
    return harness;
  };
  return { choices, begin };
}

test("a new session gets the last session's settings before its first message", () => {
  const { choices, begin } = setUp();
  const first = begin().open({ configOptions: [model, mode, fast] });
  for (const [id, value] of [
    ['model', 'large'],
    ['mode', 'plan'],
    ['fast', true],
  ] as const) {
    choices.remember(first.session, id, value);
  }
  const second = begin();
  second.session.sendPrompt('go');
  second.open({ configOptions: [model, mode, fast] });
  assert.deepEqual(second.agent.heard, [
    'set model large via configOptions',
    'set mode plan via configOptions',
    'set fast true via configOptions',
    'prompt go',
  ]);
  const other = begin('Gemini').open({ configOptions: [model] });
  assert.deepEqual(other.agent.heard, []);
});

test("a continuing session starts with its predecessor's settings, not the last chosen", () => {
  const { choices, begin } = setUp();
  const first = begin().open({ configOptions: [{ ...model, currentValue: 'large' } as ConfigOption, mode] });
  choices.remember(first.session, 'model', 'small');
  choices.remember(first.session, 'fast', true);
  const next = begin();
  choices.copy(first.session, next.session);
  next.open({ configOptions: [model, mode, fast] });
  assert.deepEqual(next.agent.heard, ['set model large via configOptions', 'set fast true via configOptions']);
});

test('a session that continues an unattended one asks again', () => {
  const { choices, begin } = setUp();
  const first = begin().open({ configOptions: [{ ...mode, currentValue: 'bypassPermissions' } as ConfigOption] });
  const next = begin();
  choices.copy(first.session, next.session);
  assert.deepEqual(next.open({ configOptions: [mode] }).agent.heard, []);
});

test('sets no unavailable, current, or unattended-mode value', () => {
  const { choices, begin } = setUp();
  const first = begin().open({ configOptions: [model, mode] });
  choices.remember(first.session, 'model', 'gone');
  choices.remember(first.session, 'mode', 'bypassPermissions');
  choices.remember(first.session, 'fast', false);
  assert.deepEqual(begin().open({ configOptions: [model, mode, fast] }).agent.heard, []);
});

test('a continued session keeps its own settings', () => {
  const { choices, begin } = setUp();
  choices.remember(begin().open({ configOptions: [model] }).session, 'model', 'large');
  const loaded = begin().introduce();
  loaded.say('said before');
  loaded.open({ configOptions: [model] });
  assert.deepEqual(loaded.agent.heard, []);
  const again = begin().open({ configOptions: [model] });
  again.session.agentSide.disconnected(undefined);
  again.open({ configOptions: [model] });
  assert.deepEqual(again.agent.heard, ['set model large via configOptions']);
});

test('sets options that appear after another one, once and in order', async () => {
  const { choices, begin } = setUp();
  const first = begin().open({ configOptions: [model] });
  choices.remember(first.session, 'speed', 'high');
  choices.remember(first.session, 'effort', 'high');
  choices.remember(first.session, 'model', 'large');
  choices.remember(first.session, 'mode', 'bypassPermissions');
  const { agent } = begin().open({ configOptions: [model, select('speed', 'low', 'low')] });
  assert.deepEqual(agent.heard, ['set model large via configOptions']);
  const large = select('model', 'large', 'small', 'large');
  const more = (effort: string, speed: string) => [
    large,
    select('effort', effort, 'low', 'high'),
    mode,
    select('speed', speed, 'low', 'high'),
  ];
  agent.changes[0]!.resolve(more('low', 'low'));
  await settle();
  const afterModel = ['set effort high via configOptions', 'set speed high via configOptions'];
  assert.deepEqual(agent.heard.slice(1), afterModel);
  // An agent that accepts a value and then resets it has the last word.
  agent.changes[1]!.resolve(more('high', 'low'));
  agent.changes[2]!.resolve(more('low', 'low'));
  await settle();
  assert.deepEqual(agent.heard.slice(1), afterModel);
});

test('does not retry a refused value after others are accepted', async () => {
  const { choices, begin } = setUp();
  const first = begin().open({ configOptions: [model, mode] });
  choices.remember(first.session, 'model', 'large');
  choices.remember(first.session, 'mode', 'plan');
  const { agent } = begin().open({ configOptions: [model, mode] });
  agent.changes[0]!.reject(new Error('not today'));
  await settle();
  agent.changes[1]!.resolve([model, select('mode', 'plan', 'ask', 'plan')]);
  await settle();
  assert.deepEqual(agent.heard, ['set model large via configOptions', 'set mode plan via configOptions']);
});

test('holds the first message until the remembered options are set', async () => {
  const { choices, begin } = setUp();
  choices.remember(begin().open({ configOptions: [model] }).session, 'model', 'large');
  const { agent, session } = begin().open({ configOptions: [model] });
  let isApplied = false;
  const applied = choices.applied(session.key).then(() => (isApplied = true));
  await settle();
  assert.equal(isApplied, false);
  agent.changes[0]!.resolve([select('model', 'large', 'large')]);
  await applied;
  const other = begin('Gemini').open({ configOptions: [model] });
  await choices.applied(other.session.key);
});

test('says that a message went without options that are still set', async () => {
  const { choices, begin } = setUp(() => Promise.resolve());
  choices.remember(begin().open({ configOptions: [model] }).session, 'model', 'large');
  const { agent, session } = begin().open({ configOptions: [model] });
  await choices.applied(session.key);
  const titles = () =>
    [...session.transcript.entries.values()].flatMap((entry) => (entry.kind === 'notice' ? [entry.title] : []));
  assert.deepEqual(titles(), ['Sent before Codex had your settings']);
  // It still gets them, and nothing is said twice.
  await choices.applied(session.key);
  agent.changes[0]!.resolve([select('model', 'large', 'large')]);
  await settle();
  await choices.applied(session.key);
  assert.deepEqual(titles(), ['Sent before Codex had your settings']);
  assert.equal(session.transcript.view.configOptions[0]?.currentValue, 'large');
});

const preset = { name: 'Fixes', agent: 'Codex', options: {}, isDefault: false, isOfWorkspace: false };

test('a preset comes before the last choices, which fill in the rest', () => {
  const { choices, begin } = setUp();
  const first = begin().open({ configOptions: [model, mode, fast] });
  choices.remember(first.session, 'mode', 'plan');
  choices.remember(first.session, 'fast', true);
  const next = begin();
  const models = { ...model, category: 'model' } as ConfigOption;
  choices.usePreset(next.session, { ...preset, model: 'large', options: { fast: false } });
  next.open({ configOptions: [models, mode, fast] });
  assert.deepEqual(next.agent.heard, ['set model large via configOptions', 'set mode plan via configOptions']);
  assert.deepEqual(begin().open({ configOptions: [mode] }).agent.heard, ['set mode plan via configOptions']);
});

test('says which choices of a preset are gone, and uses the rest', async () => {
  const { choices, begin } = setUp();
  const test = begin();
  choices.usePreset(test.session, { ...preset, model: 'gone', mode: 'plan', options: { effort: 'high' } });
  test.open({ configOptions: [{ ...model, category: 'model' }, mode] });
  assert.deepEqual(test.agent.heard, ['set mode plan via configOptions']);
  assert.doesNotMatch(test.text, /preset/);
  // An option that comes with another one isn't missed.
  test.agent.changes[0]!.resolve([select('mode', 'plan', 'ask', 'plan'), select('effort', 'low', 'low', 'high')]);
  await settle();
  test.agent.changes[1]!.resolve([select('mode', 'plan', 'ask', 'plan'), select('effort', 'high', 'low', 'high')]);
  await settle();
  assert.match(test.text, /The preset “Fixes” is only partly used\s+The model “gone” isn’t available\.\s*$/m);
});
