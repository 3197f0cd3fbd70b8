import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linePairs } from './linePairs';

test('pairs a removed line with the added line it became', () => {
  const removed = ['const res = await fetch(url);', 'if (!res.ok) throw new UploadError(res.status);'];
  const added = [
    'const res = await retry(() => fetch(url), {',
    'attempts: 4,',
    '});',
    'if (!res.ok) throw new UploadError(res.status, index);',
  ];
  assert.deepEqual(
    [...linePairs(removed, added)],
    [
      [0, 0],
      [1, 3],
    ],
  );
});

test('pairs as many lines as before by their places', () => {
  assert.deepEqual(
    [...linePairs(['a', 'b'], ['x', 'y'])],
    [
      [0, 0],
      [1, 1],
    ],
  );
});

test('pairs nothing that has no words in common', () => {
  assert.deepEqual([...linePairs(['one'], ['two', 'three'])], []);
});
