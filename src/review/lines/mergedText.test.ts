import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takenFrom } from './mergedText';

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

test('lines of the agent’s version are the agent’s', () => {
  const before = lines('a', 'mine', 'c');
  const theirs = lines('a', 'theirs', 'c');
  for (const merged of [theirs, lines('a', 'mine', 'theirs', 'c'), before]) {
    assert.equal(takenFrom(theirs, before, merged), merged);
  }
  assert.equal(takenFrom(lines('a', 'c'), before, lines('a', 'c')), lines('a', 'c'));
});

test('what the user typed or deleted is not the agent’s', () => {
  const before = lines('a', 'mine', 'c', 'd', 'e');
  const theirs = lines('a', 'theirs', 'c', 'd', 'e');
  assert.equal(takenFrom(theirs, before, lines('a', 'mine', 'c', 'typed', 'e')), before);
  assert.equal(takenFrom(theirs, before, lines('a', 'mine', 'c', 'd')), before);
  assert.equal(takenFrom(theirs, before, lines('a', 'theirs', 'typed', 'c', 'd', 'e')), theirs);
});

test('line breaks are no difference, and stay', () => {
  const before = 'a\r\nmine\r\nc';
  assert.equal(takenFrom('a\ntheirs\nc\n', before, 'a\r\ntheirs\r\nc'), 'a\r\ntheirs\r\nc');
});
