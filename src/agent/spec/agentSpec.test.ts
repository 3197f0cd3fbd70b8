import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAgents } from './agentSpec';

test('requires a name and a command, and derives an id', () => {
  assert.deepEqual(parseAgents({ Gemini: { command: ' gemini ' } }), {
    agents: [{ id: 'settings:Gemini', name: 'Gemini', command: 'gemini', args: [], env: {}, source: 'settings' }],
    problems: [],
  });
});

test("accepts another editor's block, including numbers and booleans", () => {
  const { agents, problems } = parseAgents({
    'My Agent': {
      type: 'custom',
      command: 'npx',
      args: ['agent', '--port', 8080],
      env: { DEBUG: true, LEVEL: 2, UNSET: null },
      cwd: '/srv',
      default_mode: 'ask',
    },
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(agents[0]?.args, ['agent', '--port', '8080']);
  assert.deepEqual(agents[0].env, { DEBUG: 'true', LEVEL: '2' });
  assert.equal(agents[0].cwd, '/srv');
  assert.equal('type' in agents[0], false);
});

test('reports invalid entries by name and keeps valid ones in order', () => {
  const { agents, problems } = parseAgents({
    one: { command: 'one' },
    remote: { url: 'file:///agent' },
    registry: { type: 'registry' },
    empty: {},
    text: 'gemini',
    blank: { command: ' ' },
    args: { command: 'a', args: 'b' },
    nested: { command: 'a', args: [['b']] },
    env: { command: 'a', env: { A: {} } },
    envName: { command: 'a', env: { 'A=B': 'c' } },
    cwd: { command: 'a', cwd: 3 },
    ' ': { command: 'a' },
    two: { command: 'two' },
  });
  assert.deepEqual(
    agents.map((agent) => agent.name),
    ['one', 'two'],
  );
  assert.equal(problems.length, 11);
  assert.match(problems[0]!, /“remote”.*must start with http/);
  assert.match(problems[1]!, /“registry”.*registry/);
  for (const [index, name] of ['empty', 'text', 'blank', 'args', 'nested', 'env', 'envName', 'cwd', ' '].entries()) {
    assert.ok(problems[index + 2]!.includes(`“${name}”`));
  }
});

test('reads agents on other machines', () => {
  const { agents, problems } = parseAgents({
    near: { url: ' http://127.0.0.1:8080/acp ' },
    far: { url: 'wss://agent.example/acp', headers: { Authorization: 'Bearer ${input:token}' }, cwd: '/srv' },
    shared: { url: '${env:AGENT_URL}', sharesFiles: true },
    both: { url: 'http://x', command: 'a' },
    header: { url: 'http://x', headers: { 'a b': 'c' } },
    lines: { url: 'http://x', headers: { a: 'c\r\nHost: y' } },
    shares: { url: 'http://x', sharesFiles: 'yes' },
    scheme: { url: '/acp' },
    chain: { url: 'http://x', proxies: [{ command: 'p' }] },
  });
  assert.deepEqual(
    agents.map(({ url, headers, cwd, sharesFiles }) => [url, headers, cwd, sharesFiles]),
    [
      ['http://127.0.0.1:8080/acp', {}, undefined, undefined],
      ['wss://agent.example/acp', { Authorization: 'Bearer ${input:token}' }, '/srv', undefined],
      ['${env:AGENT_URL}', {}, undefined, true],
    ],
  );
  assert.deepEqual(
    problems.map((problem) => /“(\w+)” in/.exec(problem)?.[1]),
    ['both', 'header', 'lines', 'shares', 'scheme', 'chain'],
  );
  assert.match(problems.at(-1)!, /“proxies” only work with “command”, not with “url”/);
});

test('accepts a missing setting and reports one of the wrong type', () => {
  assert.deepEqual(parseAgents(undefined), { agents: [], problems: [] });
  assert.deepEqual(parseAgents({}), { agents: [], problems: [] });
  for (const value of ['gemini', ['gemini'], 7]) {
    const { agents, problems } = parseAgents(value);
    assert.deepEqual(agents, []);
    assert.match(problems[0]!, /must be an object/);
  }
});

test('can withhold files and terminals; an unknown key makes it invalid', () => {
  const { agents, problems } = parseAgents({
    all: { command: 'a', clientCapabilities: { fs: true } },
    files: { command: 'a', clientCapabilities: { terminal: false } },
    none: { command: 'a', clientCapabilities: { fs: false, terminal: false } },
    word: { command: 'a', clientCapabilities: { terminals: false } },
    text: { command: 'a', clientCapabilities: { fs: 'no' } },
    list: { command: 'a', clientCapabilities: ['fs'] },
  });
  assert.deepEqual(
    agents.map(({ name, clientCapabilities }) => [name, clientCapabilities]),
    [
      ['all', undefined],
      ['files', { fs: true, terminal: false }],
      ['none', { fs: false, terminal: false }],
    ],
  );
  assert.equal(problems.length, 3);
  for (const [at, name] of ['word', 'text', 'list'].entries()) {
    assert.match(problems[at]!, new RegExp(`“${name}”.*“clientCapabilities” must be an object`));
  }
});

test('an entry selects its MCP servers and contains a system prompt', () => {
  const { agents, problems } = parseAgents({
    plain: { command: 'a', mcp: true, systemPrompt: ' ' },
    none: { command: 'a', mcp: false, systemPrompt: 'Be brief.' },
    some: { command: 'a', mcp: ['one'], systemPrompt: { mode: 'override', text: 'Be brief.' } },
    wrong: { command: 'a', mcp: { one: {} } },
    nested: { command: 'a', mcp: ['one', { name: 'two' }] },
    null: { command: 'a', mcp: null },
    mode: { command: 'a', systemPrompt: { mode: 'shout', text: 'BE BRIEF' } },
  });
  assert.deepEqual(
    agents.map(({ mcp, systemPrompt }) => [mcp, systemPrompt]),
    [
      [undefined, undefined],
      [false, { mode: 'append', text: 'Be brief.' }],
      [['one'], { mode: 'override', text: 'Be brief.' }],
      [undefined, undefined],
    ],
  );
  assert.deepEqual(problems, [
    'Skipped agent “wrong” in parley.agents: “mcp” must be true, false, or an array of names.',
    'Skipped agent “nested” in parley.agents: “mcp” must be true, false, or an array of names.',
    'Skipped agent “mode” in parley.agents: “systemPrompt” must be text, or an object with “mode” and “text”.',
  ]);
});
