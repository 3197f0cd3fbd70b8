import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { knownPrograms } from '../../agent/found/knownPrograms';
import type { AddedAgent } from '../../agent/registry/addedAgent';
import type { RegistryAgent } from '../../agent/registry/registryAgent';
import { agentItems, type Offered } from './agentItems';
import { agentOffers } from './agentOffers';

const npx = { package: 'x@2.0.0', args: [], env: {} };

function agent(id: string, more: Partial<RegistryAgent> = {}): RegistryAgent {
  return {
    id,
    name: id,
    version: '2.0.0',
    description: `What ${id} does`,
    license: '',
    binary: new Map(),
    npx,
    ...more,
  };
}

function onlyUv(id: string): RegistryAgent {
  return { id, name: id, version: '2.0.0', description: '', license: '', binary: new Map(), uvx: npx };
}

function added(id: string, more: Partial<AddedAgent> = {}): AddedAgent {
  return { id, name: id, version: '1.0.0', command: 'node', args: [], env: {}, ...more };
}

function found(name: string) {
  return { known: knownPrograms.find(({ program }) => program === name)!, path: `/opt/bin/${name}` };
}

const [claude, gemini] = [found('claude'), found('gemini')];

function offered(more: Partial<Offered> = {}): Offered {
  return {
    agents: [agent('claude-acp'), agent('codex-acp'), agent('gemini'), agent('zeta')],
    added: [],
    machine: { platform: 'linux', arch: 'x64', hasNpm: true, hasUvx: true },
    found: [claude, gemini],
    foundAgents: [{ found: gemini, command: 'gemini', args: ['--acp'] }],
    foreign: [],
    ...more,
  };
}

const labels = (of: Offered) => agentItems(of).map(({ label }) => label);
const item = (of: Offered, label: string) => agentItems(of).find((one) => one.label === label)!;

suite('the list of agents', () => {
  test("lists this machine's agents before those to install", () => {
    const foreign = [
      { editor: 'Zed', path: '/z', agents: [{ name: 'Mine', command: 'm', args: [], env: {}, secrets: {} }] },
    ];
    assert.deepEqual(labels(offered({ foreign })), [
      'On this machine',
      'claude-acp',
      'Gemini CLI',
      'In other editors',
      'Import from Zed: 1 agent',
      'Available',
      'codex-acp',
      'gemini',
      'zeta',
    ]);
  });

  test('offers the adapter for a local login, or an ACP program itself', () => {
    assert.equal(item(offered(), 'claude-acp').action?.does, 'add');
    assert.match(item(offered(), 'claude-acp').detail ?? '', /“claude” is on this machine\. .* the same login/);
    assert.equal(item(offered(), 'Gemini CLI').action?.does, 'addFound');
    assert.equal(item(offered(), 'Gemini CLI').detail, 'gemini --acp');
  });

  test("shows an agent's requirements with a way to meet them", () => {
    const machine = { ...offered().machine, hasNpm: false };
    const { action } = item(offered({ machine }), 'codex-acp');
    assert.equal(action?.does, 'explain');
    assert.equal(action.needs, 'node');
    assert.match(action.words, /^codex-acp: Needs Node\.js with npm/);
  });

  test('offers updates first, and installing what npx loads at each start', () => {
    const all = [
      added('gemini', { version: '2.0.0' }),
      added('codex-acp', { version: '2.0.0', command: 'npx' }),
      added('claude-acp'),
      added('zeta', { found: true }),
    ];
    assert.deepEqual(labels(offered({ added: all })).slice(0, 5), [
      'Added',
      'codex-acp',
      'claude-acp',
      'gemini',
      'zeta',
    ]);
    const words = (label: string) => item(offered({ added: all }), label).description;
    assert.equal(words('claude-acp'), '1.0.0 · update to 2.0.0 available');
    assert.equal(words('codex-acp'), '2.0.0 · install it to start faster and offline');
    assert.equal(words('gemini'), '2.0.0 · up to date');
    assert.equal(words('zeta'), '1.0.0 · on this machine');
  });
});

suite('the start page', () => {
  const names = (of: Offered, kind: string) =>
    agentOffers(of).offers.flatMap((offer) => (offer.kind === kind ? [offer.id] : []));

  test('offers local agents and at most three others, runnable ones first', () => {
    assert.deepEqual(names(offered(), 'found'), ['claude-acp', 'gemini']);
    assert.deepEqual(names(offered(), 'available'), ['codex-acp', 'zeta']);
    const many = Array.from({ length: 9 }, (_, index) => onlyUv(`needs-uv-${index}`));
    const machine = { ...offered().machine, hasUvx: false };
    const agents = [...many, ...offered().agents];
    assert.deepEqual(names(offered({ agents, machine }), 'available').slice(0, 3), ['codex-acp', 'zeta', 'needs-uv-0']);
    assert.equal(names(offered({ agents, machine }), 'available').length, 3);
    assert.equal(agentOffers(offered({ agents, machine })).count, agents.length);
  });

  test('offers agents in an order and in words for users', () => {
    const agents = ['opencode', 'zeta', 'github-copilot-cli', 'gemini', 'codex-acp', 'claude-acp'].map((id) =>
      agent(id),
    );
    const { offers } = agentOffers(offered({ agents, found: [], foundAgents: [] }));
    assert.deepEqual(
      offers.map(({ id, detail, icon }) => [id, detail, icon !== undefined]),
      [
        ['claude-acp', 'Anthropic’s coding agent, needs a Claude account · 2.0.0', true],
        ['codex-acp', 'OpenAI’s coding agent, needs a ChatGPT account or an API key · 2.0.0', true],
        ['gemini', 'Google’s coding agent, needs a Google account · 2.0.0', true],
      ],
    );
    const all = agentItems(offered({ agents, found: [], foundAgents: [] })).slice(1);
    assert.deepEqual(
      [all[0]?.label, all[0]?.detail],
      ['claude-acp', 'Anthropic’s coding agent, needs a Claude account'],
    );
    assert.deepEqual([all.at(-1)?.label, all.at(-1)?.detail], ['zeta', 'What zeta does']);
  });

  test('has the icons of added agents', () => {
    const { icons } = agentOffers(offered({ added: [added('claude-acp'), added('zeta')] }));
    assert.match(icons.get('claude-acp') ?? '', /^data:image\/svg\+xml;base64,PHN2Zy/);
    assert.equal(icons.has('zeta'), false);
  });

  test("shows an agent's requirements", () => {
    const machine = { ...offered().machine, hasNpm: false };
    const { offers } = agentOffers(offered({ machine }));
    assert.deepEqual(
      offers.map(({ id, needs }) => [id, needs]),
      [
        ['claude-acp', 'Node.js'],
        ['gemini', undefined],
        ['codex-acp', 'Node.js'],
        ['zeta', 'Node.js'],
      ],
    );
    assert.equal(offers[0]?.detail, 'Needs Node.js, which isn’t installed');
  });

  test('stops offering added agents and shows which have a newer version', () => {
    const all = [added('gemini', { found: true }), added('claude-acp'), added('codex-acp', { version: '2.0.0' })];
    const { offers, updates } = agentOffers(offered({ added: all }));
    assert.deepEqual(
      offers.map(({ id }) => id),
      ['zeta'],
    );
    assert.deepEqual([...updates], [['claude-acp', '2.0.0']]);
  });
});
