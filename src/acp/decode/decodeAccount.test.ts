import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeAccount } from './decodeAccount';
import { createRedactor } from '../wire/redact';

test('returns the active account, or all accounts if none is active', () => {
  const accounts = [
    { label: 'API key' },
    { label: 'Pro', active: true, email: 'a@b.example', name: 'Ann', organization: 'Owls' },
  ];
  assert.equal(decodeAccount({ state: 'authenticated', accounts }), 'Pro (a@b.example, Owls)');
  assert.equal(decodeAccount({ accounts: [{ label: 'One' }, 7, { label: null }, { name: 'Ann' }] }), 'One, Ann');
  assert.equal(decodeAccount({ state: 'unauthenticated', accounts }), 'Not logged in');
  assert.equal(decodeAccount({ authStatus: { kind: 'none', label: 'Not logged in' } }), 'Not logged in');
  assert.equal(decodeAccount({ authStatus: { label: 'Key', detail: 'MY_KEY' } }), 'Key (MY_KEY)');
});

test('returns the state in words if the agent lists no account', () => {
  assert.equal(decodeAccount({ state: 'authenticated', accounts: [] }), 'Logged in');
  assert.equal(decodeAccount({ state: 'not_required' }), 'No login needed');
  assert.equal(decodeAccount({ state: 'not_required', accounts: [{ label: 'Local' }] }), 'Local');
});

test('returns nothing for other values and strips deceptive characters', () => {
  for (const value of [undefined, null, 7, [], {}, { state: 'unknown' }, { state: 'new' }, { accounts: 7 }]) {
    assert.equal(decodeAccount(value), '');
  }
  assert.equal(decodeAccount({ accounts: [{ label: 'a\n\u202Eb' }] }), 'a b');
  assert.equal(decodeAccount({ accounts: [{ label: 'x'.repeat(500) }] }).length, 80);
});

test('no log contains an account', () => {
  const redactor = createRedactor([]);
  const account = { label: 'Pro', email: 'a@b.example' };
  const messages = [
    { id: 1, result: { state: 'authenticated', accounts: [account] } },
    { method: 'auth/status_update', params: { state: 'authenticated', accounts: [account] } },
    { method: '_auth/status_update', params: { authStatus: { kind: 'oauth', label: 'Pro', detail: 'a@b.example' } } },
  ];
  const logged = JSON.stringify(messages.map((message) => redactor.redact(message)));
  assert.doesNotMatch(logged, /Pro|a@b/);
  assert.match(logged, /"state":"authenticated"/);
});
