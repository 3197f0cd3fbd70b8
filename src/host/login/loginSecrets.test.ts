import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { AgentId } from '../../shared/values/ids';
import { ProviderStore } from '../providers/providerStore';
import { LoginSecrets } from './loginSecrets';

const claude: AgentSpec = {
  id: 'settings:Claude' as AgentId,
  name: 'Claude',
  command: 'claude',
  args: ['--acp'],
  env: { A: '1' },
  source: 'settings',
};
const launch = { command: '/bin/claude', args: [], env: {}, cwd: '/w' };

function kept() {
  const values = new Map<string, string>();
  const storage = {
    get: async (key: string) => values.get(key),
    store: async (key: string, value: string) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
  };
  const withheld: string[] = [];
  const window = { place: '/w' };
  const place = () => window.place;
  const secrets = new LoginSecrets(storage, { place, onWithheld: ({ name }) => withheld.push(name) });
  const providers = new ProviderStore(storage, (spec) => spec, place);
  const isHandedOut = async (spec: AgentSpec) => {
    const { env } = await secrets.addTo(spec, launch);
    const variables = await secrets.variablesOf(spec);
    assert.equal('KEY' in env, 'KEY' in variables);
    const isProvided = (await providers.read(spec)).length > 0;
    assert.equal(isProvided, 'KEY' in env);
    return isProvided;
  };
  const keep = async (spec: AgentSpec) => {
    await secrets.keep(spec, { KEY: 'secret' });
    await providers.keep(spec, [{ providerId: 'p', isNamedById: true, isOff: true }]);
  };
  return { window, withheld, keep, isHandedOut };
}

test("uses an agent's stored values only with the same definition", async () => {
  const { withheld, keep, isHandedOut } = kept();
  assert.equal(await isHandedOut(claude), false);
  assert.deepEqual(withheld, [], 'Nothing was kept, so nothing is held back.');
  await keep(claude);
  assert.equal(await isHandedOut(claude), true);
  assert.equal(await isHandedOut({ ...claude, name: 'Other name', systemPrompt: { mode: 'append', text: 'x' } }), true);
  const others: Partial<AgentSpec>[] = [
    { env: { A: '1', ANTHROPIC_BASE_URL: 'https://evil.example' } },
    { env: { A: '1', NODE_OPTIONS: '--require ./evil.js' } },
    { env: { A: '2' } },
    { env: {} },
    { cwd: '/tmp' },
    { cwd: '${workspaceFolder}' },
    { command: './claude' },
    { args: ['--acp', '--proxy'] },
    { isOfWorkspace: true },
  ];
  for (const other of others) assert.equal(await isHandedOut({ ...claude, ...other }), false, JSON.stringify(other));
  assert.equal(withheld.length, others.length);
  assert.equal(await isHandedOut(claude), true);
});

test('withholds values in other folders if the folder decides what runs', async () => {
  for (const spec of [
    { ...claude, command: './bin/claude' },
    { ...claude, command: '${workspaceFolder}/claude' },
    { ...claude, command: 'node', args: ['./agent.js'] },
    { ...claude, cwd: 'tools' },
    { ...claude, env: { PYTHONPATH: '${workspaceFolder}' } },
    { ...claude, isOfWorkspace: true },
  ]) {
    const { window, keep, isHandedOut } = kept();
    await keep(spec);
    assert.equal(await isHandedOut(spec), true);
    window.place = '/evil';
    assert.equal(await isHandedOut(spec), false, JSON.stringify(spec));
  }
  const { window, keep, isHandedOut } = kept();
  await keep(claude);
  window.place = '/other';
  assert.equal(await isHandedOut(claude), true, 'A program of the machine is the same everywhere.');
});

test('keeps an earlier login for an agent that only has a command', async () => {
  const spec: AgentSpec = { ...claude, env: {} };
  const text = JSON.stringify({ program: JSON.stringify(['claude', ['--acp']]), variables: { KEY: 'secret' } });
  const storage = { get: async () => text, store: async () => undefined, delete: async () => undefined };
  const secrets = new LoginSecrets(storage, { place: () => '/w', onWithheld: () => assert.fail() });
  assert.deepEqual(await secrets.variablesOf(spec), { KEY: 'secret' });
});
