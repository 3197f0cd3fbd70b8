import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asAmount, asCost, asCount, largestAmount, largestCount } from './untrustedNumber';

suite('figures of agents', () => {
  test('count only if they are possible, and at most the largest', () => {
    const wrong = [
      -1,
      -1000,
      -Number.MIN_VALUE,
      NaN,
      Infinity,
      -Infinity,
      '5',
      null,
      undefined,
      [1],
      { amount: 1 },
      true,
    ];
    for (const value of wrong) assert.deepEqual([asCount(value), asAmount(value)], [undefined, undefined]);
    assert.deepEqual([asCount(0), asAmount(0), asAmount(0.25)], [0, 0, 0.25]);
    assert.deepEqual([asCount(1e308), asAmount(1e308)], [largestCount, largestAmount]);
  });

  test('are costs only in a currency that can be shown', () => {
    assert.deepEqual(asCost({ amount: 1.5, currency: ' USD ' }), { amount: 1.5, currency: 'USD' });
    assert.deepEqual(asCost({ amount: 3, currency: 'credits' }), { amount: 3, currency: 'credits' });
    assert.deepEqual(asCost({ amount: 1e308, currency: 'USD' }), { amount: largestAmount, currency: 'USD' });
    for (const currency of ['U\u202eSD', 'USD\u200b', '', ' ', 'a\nb', 'US D', 'x'.repeat(21), 1, null, undefined])
      assert.equal(asCost({ amount: 1, currency }), undefined, JSON.stringify(currency));
    for (const amount of [-1000, NaN, '1', null]) assert.equal(asCost({ amount, currency: 'USD' }), undefined);
    for (const value of [undefined, null, 5, [], 'USD']) assert.equal(asCost(value), undefined);
  });
});
