import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'node:test';
import { askedActions } from '../../../test/unit-support/askedActions';
import { editor, window } from '../../../test/unit-support/vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Preset } from '../../agent/spec/preset';
import { pickSandbox } from '../sandbox/chooseSandbox';
import { chooseStart, newSession, readArgument, type NewSessionServices, type SandboxChoices } from './openNewSession';

const agent = { id: 'goose', name: 'Goose', command: 'goose', args: [], source: 'registry' } as unknown as AgentSpec;
const preset = (name: string, fields: Partial<Preset> = {}): Preset => ({
  name,
  agent: 'Goose',
  options: {},
  isDefault: false,
  isOfWorkspace: false,
  ...fields,
});

function servicesWith(presets: readonly Preset[], sandbox: Partial<SandboxChoices> = {}): NewSessionServices {
  return {
    catalog: {
      default: agent,
      all: [agent],
      listings: () => [{ agentId: 'goose', detail: 'goose acp' }],
      presets,
      defaultPreset: presets.find(({ isDefault }) => isDefault),
      findByName: (name: string) => (name === agent.name ? agent : undefined),
      findPreset: (name: string) => presets.find((one) => one.name === name),
    },
    sandbox: { mode: () => 'off', pick: () => Promise.resolve(undefined), ...sandbox },
    act: actions.act,
  } as unknown as NewSessionServices;
}

interface Offered {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly kind?: number;
}

/** The entries that the user is offered, of which `choose` picks one. */
function offers(t: TestContext, choose: (items: readonly Offered[]) => Offered | undefined): () => readonly Offered[] {
  let offered: readonly Offered[] = [];
  t.mock.method(
    window as unknown as Record<'showQuickPick', (items: readonly Offered[]) => unknown>,
    'showQuickPick',
    (items: readonly Offered[]) => {
      offered = items;
      return Promise.resolve(choose(items));
    },
  );
  return () => offered;
}

const actions = askedActions();

beforeEach(() => {
  editor.reset();
  actions.asked.length = 0;
});

test('the agents for a new session lead to those to add', async (t) => {
  const offered = offers(t, (items) => items.findLast(({ label }) => /^(Add agent|Manage presets)/.test(label)));
  await newSession(servicesWith([]), undefined);
  assert.deepEqual(
    offered().map(({ label }) => label),
    ['Goose', 'Add agent…', 'Sandbox', 'Sandbox: off…'],
  );
  assert.deepEqual(actions.asked, [['addAgent']]);
});

test('presets come before the agents, the default one first', async (t) => {
  const offered = offers(t, (items) => items.findLast(({ label }) => /^(Add agent|Manage presets)/.test(label)));
  const fixes = preset('Fixes', { model: 'haiku', mode: 'plan', options: { effort: 'low', fast: true } });
  await newSession(
    servicesWith([fixes, preset('Docs', { isDefault: true }), preset('Old', { agent: 'Gone' })]),
    undefined,
  );
  assert.deepEqual(
    offered().map(({ label, description = '', detail = '' }) => [label, description, detail].join('|')),
    [
      'Presets||',
      'Docs|default|Goose',
      'Fixes||Goose · haiku · plan · low',
      'Old||“Gone” isn’t one of your agents',
      'Agents||',
      'Goose||goose acp',
      'Add agent…||',
      'Manage presets…||',
      'Sandbox||',
      'Sandbox: off…||',
    ],
  );
  assert.deepEqual(actions.asked, [['managePresets']]);
});

test('a preset whose agent isn’t there only offers to add one', async (t) => {
  offers(t, (items) => items.find(({ label }) => label === 'Old'));
  editor.answers.push('Add Agent…');
  await newSession(servicesWith([preset('Old', { agent: 'Gone' })]), undefined);
  assert.match(editor.shown[0]?.message ?? '', /“Old” uses “Gone”, which isn’t one of your agents/);
  assert.deepEqual(actions.asked, [['addAgent']]);
  await newSession(servicesWith([]), { preset: 'Nothing' });
  assert.match(editor.shown[1]?.message ?? '', /There’s no preset named “Nothing”/);
});

test('the sandbox of a new session is chosen beside its agent', async (t) => {
  const seen: string[][] = [];
  let choices = ['Sandbox: files…', 'Files and network', 'Goose'];
  offers(t, (items) => {
    seen.push(items.map(({ label }) => label));
    const [next, ...others] = choices;
    choices = others;
    return items.find(({ label }) => label === next);
  });
  const services = servicesWith([], { mode: () => 'files', pick: (current) => pickSandbox(current, 'files') });
  const start = await chooseStart(services, undefined);
  assert.deepEqual(start, { kind: 'agent', agent, sandbox: 'filesAndNetwork' });
  assert.deepEqual(seen[1], ['Files', 'Files and network', 'Own copy']);
  assert.deepEqual(seen[2]?.at(-1), 'Sandbox: files and network…');
  choices = ['Goose'];
  assert.deepEqual(await chooseStart(services, undefined), { kind: 'agent', agent });
});

test('an argument can have a sandbox', async () => {
  const services = servicesWith([preset('Docs')]);
  const start = async (argument: object) => chooseStart(services, readArgument(argument));
  assert.equal((await start({ preset: 'Docs', sandbox: 'files' }))?.sandbox, 'files');
  assert.deepEqual(await start({ sandbox: 'filesAndNetwork' }), { kind: 'agent', agent, sandbox: 'filesAndNetwork' });
  assert.deepEqual(await start({ agent: 'Goose', sandbox: 'none' }), { kind: 'agent', agent });
});

test('no session starts in a folder that isn’t trusted', async (t) => {
  editor.isTrusted = false;
  const offered = offers(t, (items) => items[0]);
  await newSession(servicesWith([]), undefined);
  await newSession(servicesWith([preset('Docs')]), { preset: 'Docs', prompt: 'Go' });
  assert.deepEqual(offered(), []);
  assert.equal(editor.shown.length, 2);
  for (const { message } of editor.shown) assert.match(message, /trust/i);
});
