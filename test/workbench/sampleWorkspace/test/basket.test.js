import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linePrice, total } from '../src/basket.js';
import { formatMoney } from '../src/money.js';

test('a few pieces cost their full price', () => {
  assert.equal(linePrice({ name: 'Milk', price: 119, pieces: 2 }), 238);
});

test('ten pieces are a tenth cheaper', () => {
  assert.equal(linePrice({ name: 'Apples', price: 45, pieces: 10 }), 405);
});

test('a basket costs what its lines cost', () => {
  const basket = [
    { name: 'Bread', price: 320, pieces: 1 },
    { name: 'Milk', price: 119, pieces: 2 },
  ];
  assert.equal(total(basket), 558);
});

test('money has two digits after the point', () => {
  assert.equal(formatMoney(1205), '12.05');
});
