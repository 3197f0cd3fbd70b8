import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { storagePlace } from './storagePlace';

test('gives windows without a folder a place with their earlier records', async (t) => {
  const global = await mkdtemp(join(tmpdir(), 'parley-place-'));
  t.after(() => rm(global, { recursive: true, force: true }));
  await mkdir(join(global, 'sessions'));
  await writeFile(join(global, 'sessions', 'a.json'), '1');
  await mkdir(join(global, 'registry'));
  assert.equal(storagePlace('/w', global), '/w');
  const place = storagePlace(undefined, global);
  assert.deepEqual([await readdir(join(place, 'sessions')), (await readdir(global)).length], [['a.json'], 2]);
  assert.equal(storagePlace(undefined, global), place);
});
