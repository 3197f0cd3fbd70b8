import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mutations } from '../gates/mutations.mjs';

test('each gate that can be removed is still in the source once', () => {
  const stale = mutations.filter(({ file, from }) => readFileSync(file, 'utf8').split(from).length !== 2);
  assert.deepEqual(
    stale.map(({ gate }) => gate),
    [],
  );
});

test('each gate has a name of its own and names test files', () => {
  const names = mutations.map(({ gate }) => gate);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
  const missing = mutations.filter(({ tests }) => ![tests].flat().every((file) => existsSync(file)));
  assert.deepEqual(
    missing.map(({ gate }) => gate),
    [],
  );
});
