import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference, namesIn } from '../news/schemaNews.mjs';
import { isNewer, newerOf, usedOf } from '../news/versions.mjs';

const before = {
  $defs: {
    PromptRequest: { 'x-method': 'session/prompt', properties: { text: { type: 'string' } } },
    Kind: { oneOf: [{ const: 'read' }, { const: 'edit' }] },
  },
};

test('a newer schema’s methods, properties, and values are named', () => {
  const after = {
    $defs: {
      PromptRequest: { 'x-method': 'session/prompt', properties: { text: {}, options: { properties: { fast: {} } } } },
      OptionsRequest: { 'x-method': 'session/options' },
      Kind: { oneOf: [{ const: 'read' }, { const: 'move' }] },
    },
  };
  assert.deepEqual(difference(namesIn(before), namesIn(after)), {
    added: [
      'method session/options',
      'property fast of PromptRequest',
      'property options of PromptRequest',
      'value "move" in Kind',
    ],
    removed: ['value "edit" in Kind'],
  });
  assert.deepEqual(difference(namesIn(before), namesIn(before)), { added: [], removed: [] });
});

test('a new type is one line', () => {
  const after = { $defs: { ...before.$defs, Notice: { properties: { level: { enum: ['low', 'high'] }, text: {} } } } };
  assert.deepEqual(difference(namesIn(before), namesIn(after)).added, ['type Notice']);
});

test('versions are compared by their numbers', () => {
  assert.ok(isNewer('1.9.0', '1.10.0'));
  assert.ok(isNewer('2.0.0-beta.1', '2.0.0'));
  assert.ok(!isNewer('2.0.0', '2.0.0-beta.1'));
  assert.ok(!isNewer('2.0.0', '1.99.99'));
  assert.deepEqual(usedOf('@a/b@1.0.0'), { name: '@a/b', version: '1.0.0' });
  const newest = new Map([
    ['@a/b', '1.0.1'],
    ['c', '1.0.0'],
  ]);
  assert.deepEqual(newerOf([usedOf('@a/b@1.0.0'), usedOf('c@1.0.0'), usedOf('d@1.0.0')], newest), [
    '@a/b: 1.0.0 → 1.0.1',
  ]);
});
