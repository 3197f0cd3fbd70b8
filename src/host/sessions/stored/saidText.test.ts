import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId } from '../../../shared/values/ids';
import { findSaid, wordsOf, type Said } from './saidText';

const said = (...texts: readonly string[]): readonly Said[] => texts.map((text, at) => [`e${at}` as EntryId, text]);

test('the newest entry with the most words is found', () => {
  const all = said('Retry the upload. It fails.', 'The upload works.', 'Retry the upload later.', 'Nothing else.');
  assert.deepEqual(findSaid(all, ['retry', 'upload']), { entry: 'e2', sentence: 'Retry the upload later.' });
  assert.deepEqual(findSaid(all, ['fails']), { entry: 'e0', sentence: 'It fails.' });
});

test('each word must be somewhere in the session, at any place', () => {
  const all = said('retry', 'upload');
  assert.equal(findSaid(all, ['retry', 'upload'])?.entry, 'e1');
  assert.equal(findSaid(all, ['retry', 'download']), undefined);
  assert.equal(findSaid(said(), ['retry']), undefined);
});

test('a long sentence is cut around the word', () => {
  const found = findSaid(said(`${'a '.repeat(300)}needle${' b'.repeat(300)}`), ['needle']);
  assert.ok(found);
  assert.ok(found.sentence.includes('needle'));
  assert.ok(found.sentence.length <= 160);
});

test('words are compared in lower case, each once', () => {
  assert.deepEqual(wordsOf('  Retry the\nRETRY '), ['retry', 'the']);
});
