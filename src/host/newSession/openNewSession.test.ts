import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'node:test';
import { editor, window } from '../../../test/unit-support/vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Preset } from '../../agent/spec/preset';
import { newSession, type NewSessionServices } from './openNewSession';

const agent = { id: 'goose', name: 'Goose', command: 'goose', args: [], source: 'registry' } as unknown as AgentSpec;
const preset = (name: string, fields: Partial<Preset> = {}): Preset => ({
  name,
  agent: 'Goose',
  options: {},
  isDefault: false,
  isOfWorkspace: false,
  ...fields,
});

function servicesWith(presets: readonly Preset[]): NewSessionServices {
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

beforeEach(() => editor.reset());

test('the agents for a new session lead to those to add', async (t) => {
  const offered = offers(t, (items) => items.at(-1));
  await newSession(servicesWith([]), undefined);
  assert.deepEqual(
    offered().map(({ label }) => label),
    ['Goose', 'Add agent…'],
  );
  assert.deepEqual(
    editor.executed.map(({ id }) => id),
    ['parley.addAgent'],
  );
});

test('presets come before the agents, the default one first', async (t) => {
  const offered = offers(t, (items) => items.at(-1));
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
    ],
  );
  assert.deepEqual(
    editor.executed.map(({ id }) => id),
    ['parley.managePresets'],
  );
});

test('a preset whose agent isn’t there only offers to add one', async (t) => {
  offers(t, (items) => items.find(({ label }) => label === 'Old'));
  editor.answers.push('Add Agent…');
  await newSession(servicesWith([preset('Old', { agent: 'Gone' })]), undefined);
  assert.match(editor.shown[0]?.message ?? '', /“Old” uses “Gone”, which isn’t one of your agents/);
  assert.deepEqual(
    editor.executed.map(({ id }) => id),
    ['parley.addAgent'],
  );
  await newSession(servicesWith([]), { preset: 'Nothing' });
  assert.match(editor.shown[1]?.message ?? '', /There’s no preset named “Nothing”/);
});
