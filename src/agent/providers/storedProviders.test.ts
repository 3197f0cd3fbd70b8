import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeStoredProviders,
  encodeStoredProviders,
  secretsOf,
  withoutProvider,
  withProvider,
  type StoredProvider,
} from './storedProviders';

const headers = { Authorization: 'Bearer sk-gateway-1', 'X-Team': 'owls' };
const main: StoredProvider = {
  providerId: 'main',
  isNamedById: false,
  isOff: false,
  config: { apiType: 'anthropic', baseUrl: 'https://gateway.example', headers },
};
const off: StoredProvider = { providerId: 'old', isNamedById: true, isOff: true };

test('returns stored providers for the same program only', () => {
  const text = encodeStoredProviders('["claude"]', [main, off]);
  assert.deepEqual(decodeStoredProviders('["claude"]', text), [main, off]);
  assert.deepEqual(decodeStoredProviders('["claude","--other"]', text), []);
});

test('ignores unreadable data and skips invalid items', () => {
  for (const text of [undefined, '', '{', 'null', '[]', '{"program":"p"}']) {
    assert.deepEqual(decodeStoredProviders('p', text), []);
  }
  const half = { providerId: 'half', config: { apiType: 'x' }, isOff: 'no' };
  const odd = { providerId: 'odd', config: { apiType: 'x', baseUrl: 'y', headers: { A: 1, B: 'b' } } };
  const text = JSON.stringify({ program: 'p', providers: [null, {}, { providerId: 3 }, half, odd] });
  assert.deepEqual(decodeStoredProviders('p', text), [
    { providerId: 'half', isNamedById: false, isOff: false },
    {
      providerId: 'odd',
      isNamedById: false,
      isOff: false,
      config: { apiType: 'x', baseUrl: 'y', headers: { B: 'b' } },
    },
  ]);
});

test('setting a provider replaces everything stored for it', () => {
  const anew = { ...main, config: { apiType: 'openai', baseUrl: 'https://other.example', headers: {} } };
  assert.deepEqual(withProvider([main, off], anew), [off, anew]);
  assert.deepEqual(withoutProvider([main, off], 'main'), [off]);
});

test('every header value is secret, with and without its prefix', () => {
  assert.deepEqual(secretsOf(main), ['Bearer sk-gateway-1', 'sk-gateway-1', 'owls']);
  assert.deepEqual(secretsOf(off), []);
});
