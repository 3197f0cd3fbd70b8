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

test('what is stored comes back for the same program, and for no other', () => {
  const text = encodeStoredProviders('["claude"]', [main, off]);
  assert.deepEqual(decodeStoredProviders('["claude"]', text), [main, off]);
  assert.deepEqual(decodeStoredProviders('["claude","--other"]', text), []);
});

test('what cannot be read is nothing, or is left out', () => {
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

test('a provider is set as a whole: what was stored for it before is gone', () => {
  const anew = { ...main, config: { apiType: 'openai', baseUrl: 'https://other.example', headers: {} } };
  assert.deepEqual(withProvider([main, off], anew), [off, anew]);
  assert.deepEqual(withoutProvider([main, off], 'main'), [off]);
});

test('every value of a header is a secret, with and without the word before it', () => {
  assert.deepEqual(secretsOf(main), ['Bearer sk-gateway-1', 'sk-gateway-1', 'owls']);
  assert.deepEqual(secretsOf(off), []);
});
