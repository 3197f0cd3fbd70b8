import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../../test/unit-support/growth';
import { lineMatcher, type FindQuery } from './findQuery';

const query = (text: string, options: Partial<FindQuery> = {}): FindQuery => ({
  text,
  matchCase: false,
  wholeWord: false,
  isRegex: false,
  ...options,
});

const found = (line: string, text: string, options?: Partial<FindQuery>) =>
  lineMatcher(query(text, options))?.(line).map(([start, end]) => line.slice(start, end));

test('finds a plain text anywhere, including special characters', () => {
  assert.deepEqual(found('Retry the retry', 'retry'), ['Retry', 'retry']);
  assert.deepEqual(found('Retry the retry', 'retry', { matchCase: true }), ['retry']);
  assert.deepEqual(found('a.b(c)* a-b', 'a.b(c)*'), ['a.b(c)*']);
  assert.deepEqual(found('ÄÖ äö 😀', 'äö'), ['ÄÖ', 'äö']);
  assert.deepEqual(found('a😀b', '😀'), ['😀']);
});

test('ends whole words at letters, digits, and underscores in every language', () => {
  assert.deepEqual(lineMatcher(query('a', { wholeWord: true }))?.('a aa a_ ä-a (a)'), [
    [0, 1],
    [10, 11],
    [13, 14],
  ]);
  assert.deepEqual(found('näher näh', 'näh', { wholeWord: true }), ['näh']);
  assert.deepEqual(found('x()', '()', { wholeWord: true }), ['()']);
});

test('applies the same options to regular expressions and skips empty matches', () => {
  assert.deepEqual(found('upload.ts list.ts', '\\w+\\.ts', { isRegex: true }), ['upload.ts', 'list.ts']);
  assert.deepEqual(found('abc', 'x*', { isRegex: true }), []);
  assert.deepEqual(found('Retry', 'R', { isRegex: true, matchCase: true }), ['R']);
  assert.deepEqual(found('Retry', 'r', { isRegex: true }), ['R', 'r']);
});

test('finds nothing for empty, invalid, or nonlinear patterns', () => {
  assert.equal(lineMatcher(query('')), undefined);
  for (const pattern of ['(', '(?=a)', '(a)\\1'])
    assert.equal(lineMatcher(query(pattern, { isRegex: true })), undefined);
});

test('searches in linear time with any pattern', () => {
  const match = lineMatcher(query('(a+)+$', { isRegex: true }));
  assert.ok(match);
  assertLinear((length) => assert.deepEqual(match(`${'a'.repeat(length)}!`), []), 2000);
});
