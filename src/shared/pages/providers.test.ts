import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnencrypted, isValid, problemsOf, type HeaderDraft, type ProviderDraft } from './modelProviders';

const draft = (more: Partial<ProviderDraft>): ProviderDraft => ({
  providerId: 'main',
  apiType: 'openai',
  baseUrl: 'https://gateway.example/v1',
  headers: [],
  ...more,
});
const address = (baseUrl: string) => problemsOf(draft({ baseUrl }), []).baseUrl;
const header = (...headers: HeaderDraft[]) => problemsOf(draft({ headers }), ['X-Key']).headers;

test('accepts a web URL without credentials', () => {
  assert.ok(isValid(problemsOf(draft({}), [])));
  assert.equal(address('  http://127.0.0.1:8080 '), undefined);
  assert.deepEqual(['', ' ', 'gateway.example', 'file:///etc', 'https://'].map(address), [
    'missing',
    'missing',
    'notAddress',
    'notAddress',
    'notAddress',
  ]);
  assert.deepEqual(['https://me@x.example', 'https://me:key@x.example', 'https://:key@x.example'].map(address), [
    'credentials',
    'credentials',
    'credentials',
  ]);
  assert.equal(problemsOf(draft({ apiType: ' ' }), []).apiType, 'missing');
  assert.ok(!isValid(problemsOf(draft({ apiType: '' }), [])));
});

test('detects unencrypted URLs, except on this machine', () => {
  const readable = ['http://gateway.example', 'http://localhost.example.com/'];
  const fine = ['https://gateway.example', 'http://localhost:1', 'http://[::1]/', 'http://127.0.0.1', 'http', ''];
  assert.deepEqual(readable.map(isUnencrypted), [true, true]);
  assert.deepEqual(fine.map(isUnencrypted), [false, false, false, false, false, false]);
});

test('requires unique, valid header names and a value', () => {
  const right = { name: undefined, value: undefined };
  assert.deepEqual(header({ name: 'Authorization', value: 'Bearer 1' }, { name: 'x-api_key', value: 'ü' }), [
    right,
    right,
  ]);
  assert.deepEqual(header({ name: '', value: 'a' }, { name: 'a b', value: 'a' }, { name: 'a:', value: 'a' }), [
    { name: 'missing', value: undefined },
    { name: 'notName', value: undefined },
    { name: 'notName', value: undefined },
  ]);
  assert.deepEqual(header({ name: 'A', value: '1' }, { name: ' a ', value: '2' }), [
    right,
    { ...right, name: 'twice' },
  ]);
  for (const value of ['a\nb', 'a\u0000', '“a”']) {
    assert.deepEqual(header({ name: 'A', value }), [{ ...right, value: 'notValue' }]);
  }
  assert.deepEqual(header({ name: 'A', value: ' ' }), [{ ...right, value: 'noValue' }]);
});

test('allows a stored value to stay unchanged under its name', () => {
  const [known, other] = header({ name: 'x-key' }, { name: 'X-Other' });
  assert.deepEqual([known?.value, other?.value], [undefined, 'noValue']);
});
