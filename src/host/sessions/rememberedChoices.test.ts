import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeAgent, SessionHarness } from '../../../test/unit-support/fakeSession';
import type { Session } from '../../session/session';
import { Emitter } from '../../shared/event';
import type { ConfigOption } from '../../shared/transcript';
import { RememberedChoices } from './rememberedChoices';

const select = (configId: string, currentValue: string, ...values: readonly string[]): ConfigOption => ({
  ...{ configId, name: configId, via: 'configOptions', type: 'select', currentValue },
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

function setUp() {
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
  const choices = new RememberedChoices({ sessions, onDidChangeSessions: changed.event }, memory);
  const begin = (agentName = 'Codex') => {
    const harness = new SessionHarness(agentName);
    harness.agent = new FakeAgent();
    sessions.push(harness.session);
    harness.session.onDidChangeState(() => changed.fire());
    return harness;
  };
  return { choices, begin };
}

test('a new session of the same agent is set as the last one was, before its first message', () => {
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

test('nothing is set that is not offered, is set already, or lets the agent work without asking', () => {
  const { choices, begin } = setUp();
  const first = begin().open({ configOptions: [model, mode] });
  choices.remember(first.session, 'model', 'gone');
  choices.remember(first.session, 'mode', 'bypassPermissions');
  choices.remember(first.session, 'fast', false);
  assert.deepEqual(begin().open({ configOptions: [model, mode, fast] }).agent.heard, []);
});

test('a session that goes on keeps its own settings', () => {
  const { choices, begin } = setUp();
  choices.remember(begin().open({ configOptions: [model] }).session, 'model', 'large');
  const loaded = begin();
  loaded.say('said before');
  loaded.open({ configOptions: [model] });
  assert.deepEqual(loaded.agent.heard, []);
  const again = begin().open({ configOptions: [model] });
  again.session.disconnected(undefined);
  again.open({ configOptions: [model] });
  assert.deepEqual(again.agent.heard, ['set model large via configOptions']);
});
