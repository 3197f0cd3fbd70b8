import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeAuthMethod } from './decodeAuth';

const agent = { id: 'a', name: 'A', type: 'agent' };

test('a method without a type, or of the type agent, is the agent’s own', () => {
  assert.deepEqual(decodeAuthMethod({ id: 'a', name: 'A' }), agent);
  assert.deepEqual(decodeAuthMethod({ id: 'a', name: 'A', type: 'agent', description: null, _meta: 7 }), agent);
  assert.deepEqual(decodeAuthMethod({ id: 'a', name: ' ' }), { ...agent, name: 'a' });
});

test('broken methods and those of an unknown type are left out', () => {
  const broken: readonly unknown[] = [null, 3, 'a', [], {}, { name: 'A' }, { id: 4 }, { id: 'a', type: 'owl' }];
  for (const value of broken) assert.equal(decodeAuthMethod(value), undefined, JSON.stringify(value));
});

test('a terminal method has arguments and variables, whatever else stands there', () => {
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

test('a terminal method may be told in _meta, with its arguments, where there is no other type', () => {
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

test('a command told by _meta comes before everything else, also on an unknown type', () => {
  const told = { command: 'opencode', args: ['auth', 'login'], label: 'OpenCode Login', env: { A: 'b' } };
  for (const type of [undefined, 'terminal', 'owl']) {
    const method = decodeAuthMethod({ id: 'o', name: 'O', type, args: ['x'], _meta: { 'terminal-auth': told } });
    assert.deepEqual(method, { id: 'o', name: 'O', type: 'command', ...told });
  }
  assert.deepEqual(decodeAuthMethod({ id: 'a', name: 'A', _meta: { 'terminal-auth': { args: [] } } }), agent);
});

test('variables are secret and needed unless told otherwise; without any the method is none', () => {
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

test('keys and gateways are told by _meta', () => {
  const read = (meta: object) => decodeAuthMethod({ id: 'a', name: 'A', _meta: meta });
  assert.deepEqual(read({ 'api-key': { provider: 'openai' } }), { ...agent, type: 'apiKey', provider: 'openai' });
  assert.deepEqual(read({ gateway: { protocol: 'google', restartRequired: 'false' } }), {
    ...agent,
    type: 'gateway',
    needsRestart: false,
  });
  assert.deepEqual(read({ gateway: { restartRequired: true } }), { ...agent, type: 'gateway', needsRestart: true });
});
