import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editor, workspace } from '../../../test/unit-support/vscode';
import { decodeBudgets } from '../../usage/budgets';
import { Settings } from './settings';

test('a workspace’s presets count after the user agreed to exactly them', async (t) => {
  editor.reset();
  const own = [{ name: 'Mine', agent: 'Claude' }];
  let theirs: readonly object[] = [{ name: 'Team', agent: 'Codex', default: true }];
  const inspect = (key: string) => {
    if (key === 'parley') return { workspaceValue: { presets: theirs } };
    return key === 'presets' ? { globalValue: own, workspaceValue: theirs } : {};
  };
  t.mock.method(workspace, 'getConfiguration', () => ({ inspect }));
  const values = new Map<string, unknown>();
  const settings = new Settings({
    get: (key) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  });
  t.after(() => settings.dispose());
  const counted = () => settings.presetsByScope;
  assert.deepEqual(counted(), { user: own, workspace: undefined });
  const found = settings.ofWorkspace;
  assert.match(found!.describe('whole').join('\n'), /parley.presets:\n.*"name":"Team","agent":"Codex","default":true/);
  await settings.answer(found!, 'yes');
  assert.deepEqual(counted(), { user: own, workspace: theirs });
  theirs = [{ name: 'Team', agent: 'Evil', default: true }];
  assert.equal(counted().workspace, undefined);
  await settings.answer(settings.ofWorkspace!, 'no');
  assert.equal(counted().workspace, undefined);
  assert.equal(settings.presetsOfUser, own);
});

test('a workspace lowers a budget of the user, but can’t raise it', (t) => {
  editor.reset();
  const own = { day: { tokens: 100 }, session: { cost: 5 } };
  const theirs = { day: { tokens: 40 }, session: { cost: 50, tokens: 9 } };
  t.mock.method(workspace, 'getConfiguration', () => ({
    inspect: () => ({ defaultValue: {}, globalValue: own, workspaceValue: theirs }),
  }));
  const settings = new Settings({ get: () => undefined, update: () => Promise.resolve() });
  t.after(() => settings.dispose());
  assert.deepEqual(decodeBudgets(settings.budgets), [
    { per: 'session', currency: 'USD', most: 5 },
    { per: 'day', most: 40 },
    { per: 'session', most: 9 },
  ]);
});
