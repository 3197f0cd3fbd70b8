import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId } from '../../src/shared/values/ids';
import { MatchList } from './matchList';

const id = (name: string) => name as EntryId;
const list = new MatchList([
  [id('a'), 2],
  [id('c'), 1],
  [id('d'), 3],
]);

test('counts positions through all entries', () => {
  assert.equal(list.total, 6);
  assert.deepEqual(list.at(0), { entry: 'a', nth: 0 });
  assert.deepEqual(list.at(2), { entry: 'c', nth: 0 });
  assert.deepEqual(list.at(5), { entry: 'd', nth: 2 });
  assert.equal(list.at(6), undefined);
});

test('a match keeps its identity when others are added before it', () => {
  assert.equal(list.indexOf({ entry: id('d'), nth: 1 }), 4);
  assert.equal(list.indexOf({ entry: id('c'), nth: 1 }), undefined);
  assert.equal(list.indexOf({ entry: id('x'), nth: 0 }), undefined);
});

test("starts a search at the reader's position and wraps around", () => {
  const order = ['b', 'c', 'd', 'e'].map(id);
  assert.equal(list.indexFrom(id('b'), order), 2);
  assert.equal(list.indexFrom(id('d'), order), 3);
  assert.equal(list.indexFrom(id('e'), order), 0);
  assert.equal(list.indexFrom(undefined, order), 2);
});
