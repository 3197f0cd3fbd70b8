import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choicesThatFit, markedPieces } from './choiceFilter';

const choices = [
  { value: 'a/opus', label: 'Opus 5', description: 'For hard work', group: 'Anthropic' },
  { value: 'plain', label: 'Default' },
  { value: 'o/mini', label: 'GPT mini', group: 'OpenAI' },
  { value: 'a/haiku', label: 'Haiku 5', description: 'Fast', group: 'Anthropic' },
];
const found = (query: string) => choicesThatFit(choices, query).map(({ value }) => value);

test('a query is looked for in name, value and description, each word of it, in any case', () => {
  assert.deepEqual(found('opus'), ['a/opus']);
  assert.deepEqual(found('O/MI'), ['o/mini']);
  assert.deepEqual(found('hard'), ['a/opus']);
  assert.deepEqual(found(' 5   fast '), ['a/haiku']);
  assert.deepEqual(found('opus fast'), []);
});

test('groups stay together in the order of the agent, and a value that comes twice is there once', () => {
  assert.deepEqual(found(''), ['a/opus', 'a/haiku', 'plain', 'o/mini']);
  const twice = [...choices, { value: 'plain', label: 'Again' }];
  assert.deepEqual(
    choicesThatFit(twice, '').map(({ label }) => label),
    ['Opus 5', 'Haiku 5', 'Default', 'GPT mini'],
  );
});

test('what was found is marked in the name, whatever signs are in it', () => {
  assert.deepEqual(markedPieces('Opus 5 (1M)', '(1m us'), ['Op', 'us', ' 5 ', '(1M', ')']);
  assert.deepEqual(markedPieces('Opus', '  '), ['Opus']);
});
