import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeAuthMethod } from './decodeAuth';

const agent = { id: 'a', name: 'A', type: 'agent' };

test("treats a missing type and type agent as the agent's own", () => {
  assert.deepEqual(decodeAuthMethod({ id: 'a', name: 'A' }), agent);
  assert.deepEqual(decodeAuthMethod({ id: 'a', name: 'A', type: 'agent', description: null, _meta: 7 }), agent);
  assert.deepEqual(decodeAuthMethod({ id: 'a', name: ' ' }), { ...agent, name: 'a' });
});

test('skips malformed methods and unknown types', () => {
  const broken: readonly unknown[] = [null, 3, 'a', [], {}, { name: 'A' }, { id: 4 }, { id: 'a', type: 'owl' }];
  for (const value of broken) assert.equal(decodeAuthMethod(value), undefined, JSON.stringify(value));
});

test("reads a terminal method's arguments and variables and ignores other fields", () => {
  assert.deepEqual(
    decodeAuthMethod({ id: 't', type: 'terminal', args: ['login', 3], env: { A: 'b', 'B=': 'c', C: 4, '': 'd' } }),
    { id: 't', name: 't', type: 'terminal', args: ['login'], env: { A: 'b' } },
  );
  assert.deepEqual(decodeAuthMethod({ id: 't', type: 'terminal', args: null, env: [] }), {
    id: 't',
    name: 't',
    type: 'terminal',
    args: [],
    env: {},
  });
});

test('reads a terminal method from _meta if it has no other type', () => {
  const _meta = { type: 'terminal', args: ['--auth-type=openai'] };
  assert.deepEqual(decodeAuthMethod({ id: 'q', name: 'Q', _meta }), {
    id: 'q',
    name: 'Q',
    type: 'terminal',
    args: ['--auth-type=openai'],
    env: {},
  });
  assert.deepEqual(decodeAuthMethod({ id: 'a', name: 'A', type: 'agent', _meta }), agent);
  assert.deepEqual(decodeAuthMethod({ id: 'a', name: 'A', _meta: { type: 'owl' } }), agent);
});

test('prefers a command in _meta, even on an unknown type', () => {
  const told = { command: 'opencode', args: ['auth', 'login'], label: 'OpenCode Login', env: { A: 'b' } };
  for (const type of [undefined, 'terminal', 'owl']) {
    const method = decodeAuthMethod({ id: 'o', name: 'O', type, args: ['x'], _meta: { 'terminal-auth': told } });
    assert.deepEqual(method, { id: 'o', name: 'O', type: 'command', ...told });
  }
  assert.deepEqual(decodeAuthMethod({ id: 'a', name: 'A', _meta: { 'terminal-auth': { args: [] } } }), agent);
});

test('variables are secret and required by default; at least one is needed', () => {
  const vars = [{ name: 'KEY' }, { name: 'URL', label: 'Address', secret: false, optional: true }, { name: 'a=b' }, {}];
  assert.deepEqual(decodeAuthMethod({ id: 'e', name: 'E', type: 'env_var', vars, link: 'https://keys.example' }), {
    id: 'e',
    name: 'E',
    type: 'env_var',
    link: 'https://keys.example',
    vars: [
      { name: 'KEY', isSecret: true, isOptional: false },
      { name: 'URL', label: 'Address', isSecret: false, isOptional: true },
    ],
  });
  for (const bad of [undefined, [], [{}], 'KEY']) {
    assert.equal(decodeAuthMethod({ id: 'e', type: 'env_var', vars: bad }), undefined);
  }
});

test('reads API keys and gateways from _meta', () => {
  const read = (meta: object) => decodeAuthMethod({ id: 'a', name: 'A', _meta: meta });
  assert.deepEqual(read({ 'api-key': { provider: 'openai' } }), { ...agent, type: 'apiKey', provider: 'openai' });
  assert.deepEqual(read({ gateway: { protocol: 'google', restartRequired: 'false' } }), {
    ...agent,
    type: 'gateway',
    needsRestart: false,
  });
  assert.deepEqual(read({ gateway: { restartRequired: true } }), { ...agent, type: 'gateway', needsRestart: true });
});
