import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { editor, window } from '../../../test/unit-support/vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { newSession, type NewSessionServices } from './openNewSession';

const agent = { id: 'goose', name: 'Goose', command: 'goose', args: [], source: 'registry' } as unknown as AgentSpec;
const services = {
  catalog: { default: agent, all: [agent], listings: () => [{ agentId: 'goose', detail: 'goose acp' }] },
} as unknown as NewSessionServices;

beforeEach(() => editor.reset());

test('the agents for a new session lead to those to add', async (t) => {
  let offered: readonly { readonly label: string }[] = [];
  t.mock.method(
    window as unknown as Record<'showQuickPick', (items: typeof offered) => unknown>,
    'showQuickPick',
    (items: typeof offered) => {
      offered = items;
      return Promise.resolve(items.at(-1));
    },
  );
  await newSession(services, undefined);
  assert.deepEqual(
    offered.map(({ label }) => label),
    ['Goose', 'Add agent…'],
  );
  assert.deepEqual(
    editor.executed.map(({ id }) => id),
    ['parley.addAgent'],
  );
});
