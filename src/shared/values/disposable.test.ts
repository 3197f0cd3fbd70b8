import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposableStore, toDisposable } from './disposable';

test('disposes items once, the last one first, and later ones immediately', () => {
  const ended: string[] = [];
  const item = (name: string) => ({ dispose: () => void ended.push(name) });
  const store = new DisposableStore();
  const removed = store.add(item('removed'));
  store.add(item('first'));
  store.add(item('last'));
  store.delete(removed);
  store.delete(removed);
  assert.deepEqual([ended, store.isDisposed], [['removed'], false]);
  store.dispose();
  store.dispose();
  assert.deepEqual([ended, store.isDisposed], [['removed', 'last', 'first'], true]);
  store.add(item('late'));
  assert.equal(ended.at(-1), 'late');
});

test('runs the action of a disposable once', () => {
  let count = 0;
  const one = toDisposable(() => count++);
  one.dispose();
  one.dispose();
  assert.equal(count, 1);
});
