import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mementoOf } from '../../../test/unit-support/memento';
import { ToldOnce } from './toldOnce';

test('each thing is news once until its time, in all windows', () => {
  const memory = mementoOf();
  let now = 100;
  const told = new ToldOnce(memory, 'told', () => now);
  assert.equal(told.isNews('a', 200), true);
  assert.equal(told.isNews('a', 200), false);
  assert.equal(told.isNews('b', 150), true);
  assert.equal(new ToldOnce(memory, 'told', () => now).isNews('a', 200), false);
  now = 199;
  assert.equal(told.isNews('a', 200), false);
  now = 200;
  assert.equal(told.isNews('a', 300), true);
});

test('what is no longer true is forgotten', () => {
  const memory = mementoOf();
  let now = 100;
  const told = new ToldOnce(memory, 'told', () => now);
  told.isNews('a', 150);
  told.isNews('b', 200);
  now = 150;
  told.isNews('c', 300);
  assert.deepEqual(memory.get('told'), { b: 200, c: 300 });
});
