import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeProviders } from './decodeProviders';

test('reads providers by either field name and with unknown types', () => {
  const claude = {
    providerId: 'main',
    supported: ['anthropic', 'bedrock', '_of-tomorrow', 'bedrock'],
    required: false,
    current: { apiType: 'anthropic', baseUrl: 'http://127.0.0.1:8080' },
  };
  const nanocoder = { id: 'fake', providerId: 'fake', required: false, supported: ['openai'] };
  const june = { id: 'old', required: true, supported: ['openai'], current: null };
  assert.deepEqual(decodeProviders({ providers: [claude, nanocoder, june] }), [
    {
      providerId: 'main',
      isNamedById: false,
      supported: ['anthropic', 'bedrock', '_of-tomorrow'],
      isRequired: false,
      current: { apiType: 'anthropic', baseUrl: 'http://127.0.0.1:8080' },
    },
    { providerId: 'fake', isNamedById: false, supported: ['openai'], isRequired: false },
    { providerId: 'old', isNamedById: true, supported: ['openai'], isRequired: true },
  ]);
});

test('skips invalid entries and keeps the first of a duplicate name', () => {
  const odd = [null, 'x', {}, { providerId: '' }, { id: 7 }];
  const twice = { providerId: 'a', supported: 'openai', required: 'yes', current: { apiType: 3 } };
  assert.deepEqual(decodeProviders({ providers: [...odd, twice, { providerId: 'a', required: true }] }), [
    {
      providerId: 'a',
      isNamedById: false,
      supported: [],
      isRequired: false,
      current: { apiType: '', baseUrl: '' },
    },
  ]);
  for (const answer of [null, [], 'x', {}, { providers: {} }]) assert.deepEqual(decodeProviders(answer), []);
});
