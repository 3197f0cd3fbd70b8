import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackPort } from './loginDoor';

const page = (to: string, name = 'redirect_uri') => `https://login.example/a?x=1&${name}=${encodeURIComponent(to)}`;

test('finds the port of this machine that a login page calls', () => {
  assert.equal(callbackPort(page('http://localhost:1455/auth/callback')), 1455);
  assert.equal(callbackPort(page('http://127.0.0.1:43123/')), 43123);
  assert.equal(callbackPort(page('http://[::1]:2000/cb', 'callback_url')), 2000);
});

test('finds none on other machines, of system services, or in other parts', () => {
  for (const to of [
    'http://example.com:1455/',
    'http://localhost:80/',
    'http://localhost/',
    'https://localhost:1455/',
    'x',
  ])
    assert.equal(callbackPort(page(to)), undefined, to);
  assert.equal(callbackPort(page('http://localhost:1455/', 'next')), undefined);
  assert.equal(callbackPort('https://login.example/'), undefined);
});
