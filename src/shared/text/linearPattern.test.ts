import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../../test/unit-support/growth';
import { linearPattern } from './linearPattern';

test('matches patterns as JavaScript does, anywhere or as a whole', () => {
  for (const [pattern, text] of [
    ['^[A-Z]{2}\\d{1,4}$', 'AB123'],
    ['^[\\w.+-]+@[\\w-]+\\.\\w+$', 'a.b@c.de'],
    ['^https?:\\/\\/', 'https://a'],
    ['^\\p{Lu}', 'Ä'],
    ['^(?<year>\\d{4})-\\d\\d$', '2026-11'],
    ['\\u0041', 'xAx'],
  ] as const) {
    assert.equal(linearPattern(pattern)?.test(text), true, pattern);
    assert.equal(new RegExp(pattern, 'u').test(text), true, pattern);
  }
  assert.equal(linearPattern('b|bc')?.testWhole('bc'), true);
  assert.equal(linearPattern('b')?.testWhole('abc'), false);
  assert.equal(linearPattern('B', 'i')?.test('abc'), true);
});

test('rejects patterns that cannot run in linear time', () => {
  for (const pattern of ['(?=a)', '(?<!a)b', '(.)\\1', '(', 'a'.repeat(2000), '(a|b|c?){1000}'.repeat(30)]) {
    assert.equal(linearPattern(pattern), undefined, pattern.slice(0, 20));
  }
});

test('matches patterns quickly that are endless in other engines', () => {
  for (const pattern of [
    '^.*.*.*.*.*.*=$',
    '^(a+)+$',
    '(a|a)*b',
    '(a*)*c',
    '((a?){30}){30}b',
    '(.*)(.*)(.*)(.*)[^a]x',
  ]) {
    const compiled = linearPattern(pattern);
    assertLinear((length) => assert.equal(compiled?.test(`${'a'.repeat(length)}!`), false), 2000, pattern);
  }
});
