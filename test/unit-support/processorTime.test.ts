import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layerOfCommand, readStat, sumByLayer } from '../runner/processorTime.mjs';

const seen = (layer: string, own: number, waited = 0, parent?: string, isEnded = parent !== undefined) => ({
  parent,
  layer,
  own,
  waited,
  isEnded,
});

test('reads the times of a process with any name', () => {
  const stat = '7 (a) b (c) S 3 7 7 0 -1 4194560 1 2 3 4 100 20 5 6 20 0 1 0 9000 1 2';
  assert.deepEqual(readStat(stat), { parent: 3, own: 120, waited: 11, startedAt: 9000 });
});

test('counts each process once, with what its parent waited for', () => {
  const sums = sumByLayer([
    ['test', seen('page', 200, 450)],
    // It used 30 more after it was last seen, and a short one was never seen.
    ['browser', seen('page', 100, 300, 'test')],
    ['agent', seen('agents', 50, 0, 'test', false)],
  ]);
  assert.equal(sums.get('page'), 2 + 0.5 + 1 + 3);
  assert.equal(sums.get('agents'), 0.5);
});

test('does not let a process that nobody waited for hide others', () => {
  const sums = sumByLayer([
    ['test', seen('e2e', 100, 0)],
    ['server', seen('e2e', 700, 0, 'test')],
  ]);
  assert.equal(sums.get('e2e'), 8);
});

test("knows a layer by the folder of its tests' bundle", () => {
  assert.equal(layerOfCommand('/usr/bin/node\0/home/me/parley/out/e2e-123/together/1 of 5.mjs'), 'e2e');
  assert.equal(layerOfCommand('node C:\\parley\\out\\windows-unit-7\\together\\1.cjs'), 'windows-unit');
  assert.equal(layerOfCommand('node /home/me/parley/out/product/0123/dist/extension.js'), undefined);
});
