import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Memento, SecretStorage } from 'vscode';
import { editor, workspace } from '../../../test/unit-support/vscode';
import { parseAgents, type AgentSpec } from '../../agent/spec/agentSpec';
import { AgentInputs } from '../agents/agentInputs';
import { Settings } from '../settings/settings';
import { PlainKeys } from './plainKeys';

const key = 'sk-1234567890abcdef';
const written = {
  Claude: { command: 'claude', args: ['--acp'], env: { ANTHROPIC_API_KEY: key, LANG: 'C' } },
  Other: { command: 'other' },
};

beforeEach(() => editor.reset());

function place(storage: Partial<SecretStorage> = {}) {
  let agents: Readonly<Record<string, unknown>> = written;
  workspace.getConfiguration = (() => ({
    get: () => agents,
    inspect: (name: string) => (name === 'agents' ? { globalValue: agents } : {}),
    update: (_name: string, value: typeof agents) => Promise.resolve(void (agents = value)),
  })) as unknown as typeof workspace.getConfiguration;
  const values = new Map<string, string>();
  const memory = new Map<string, unknown>();
  const secrets = {
    get: (name: string) => Promise.resolve(values.get(name)),
    store: (name: string, value: string) => Promise.resolve(void values.set(name, value)),
    ...storage,
  } as unknown as SecretStorage;
  const inputs = new AgentInputs(secrets, () => '/work');
  const memento = {
    get: (name: string, otherwise: unknown) => memory.get(name) ?? otherwise,
    update: (name: string, value: unknown) => Promise.resolve(void memory.set(name, value)),
  } as unknown as Memento;
  const settings = new Settings(memento);
  const keys = () => new PlainKeys({ settings, inputs, memory: memento, log: { warn: () => undefined } });
  const spec = (): AgentSpec => parseAgents(agents).agents.find(({ name }) => name === 'Claude')!;
  return { inputs, keys, spec, agents: () => agents };
}

test('moves a plain key to where the agent finds it', async (t) => {
  t.mock.method(workspace, 'getConfiguration');
  const { keys, spec, inputs, agents } = place();
  editor.answers.push('Move');
  await keys().offer(spec());
  assert.deepEqual(agents(), {
    ...written,
    Claude: { ...written.Claude, env: { ANTHROPIC_API_KEY: '${input:ANTHROPIC_API_KEY}', LANG: 'C' } },
  });
  assert.match(
    editor.shown[0]?.message ?? '',
    /The settings of Claude have a key in plain text: ANTHROPIC\\?_API\\?_KEY/,
  );
  assert.equal(await inputs.get(spec(), 'ANTHROPIC_API_KEY'), key);
  await keys().offer(spec());
  assert.equal(editor.shown.length, 1, 'Nothing is left to move.');
});

test('leaves the settings as they are if the key can’t be stored', async (t) => {
  t.mock.method(workspace, 'getConfiguration');
  const { keys, spec, agents } = place({ store: () => Promise.resolve(), get: () => Promise.resolve(undefined) });
  editor.answers.push('Move');
  await keys().offer(spec());
  assert.deepEqual(agents(), written);
  assert.match(editor.shown.at(-1)?.message ?? '', /Couldn’t move the key of Claude/);
});

test('asks once in a window, and never once declined', async (t) => {
  t.mock.method(workspace, 'getConfiguration');
  const { keys, spec } = place();
  const window = keys();
  await window.offer(spec());
  await window.offer(spec());
  assert.equal(editor.shown.length, 1);
  editor.answers.push('Don’t Ask Again');
  await keys().offer(spec());
  await keys().offer(spec());
  assert.equal(editor.shown.length, 2);
});

test('asks about nothing that a workspace or the registry defines', async (t) => {
  t.mock.method(workspace, 'getConfiguration');
  const { keys, spec } = place();
  await keys().offer({ ...spec(), isOfWorkspace: true });
  await keys().offer({ ...spec(), source: 'registry' });
  assert.deepEqual(editor.shown, []);
});
