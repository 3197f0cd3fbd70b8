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

test('matches all words in name, value, or description, ignoring case', () => {
  assert.deepEqual(found('opus'), ['a/opus']);
  assert.deepEqual(found('O/MI'), ['o/mini']);
  assert.deepEqual(found('hard'), ['a/opus']);
  assert.deepEqual(found(' 5   fast '), ['a/haiku']);
  assert.deepEqual(found('opus fast'), []);
});

test("keeps groups together in the agent's order and removes duplicate values", () => {
  assert.deepEqual(found(''), ['a/opus', 'a/haiku', 'plain', 'o/mini']);
  const twice = [...choices, { value: 'plain', label: 'Again' }];
  assert.deepEqual(
    choicesThatFit(twice, '').map(({ label }) => label),
    ['Opus 5', 'Haiku 5', 'Default', 'GPT mini'],
  );
});

test('marks matches in a name that contains special characters', () => {
  assert.deepEqual(markedPieces('Opus 5 (1M)', '(1m us'), ['Op', 'us', ' 5 ', '(1M', ')']);
  assert.deepEqual(markedPieces('Opus', '  '), ['Opus']);
});
