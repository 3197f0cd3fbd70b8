import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mutations } from '../gates/mutations.mjs';

test('each gate that can be removed is still in the source once', () => {
  const stale = mutations.filter(({ file, from }) => readFileSync(file, 'utf8').split(from).length !== 2);
  assert.deepEqual(
    stale.map(({ gate }) => gate),
    [],
  );
});
