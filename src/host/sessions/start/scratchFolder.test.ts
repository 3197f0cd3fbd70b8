import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ScratchFolder } from './scratchFolder';

test('gives each window its own empty folder and keeps used ones', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-scratch-'));
  try {
    const [one, other] = [new ScratchFolder(join(root, 'all')), new ScratchFolder(join(root, 'all'))];
    await one.tidyUp(Date.now());
    assert.notEqual(one.path, other.path);
    assert.equal(one.path, one.path);
    assert.deepEqual(await readdir(one.path), []);
    assert.deepEqual([one.has(other.path), one.has(root), one.has(tmpdir())], [true, false, false]);
    const [old, used] = [join(root, 'all', 'old'), join(root, 'all', 'used')];
    for (const folder of [old, used]) await mkdir(folder);
    await writeFile(join(used, 'mine.txt'), 'mine');
    const long = new Date(Date.now() - 48 * 60 * 60 * 1000);
    for (const folder of [old, used, one.path]) await utimes(folder, long, long);
    await one.tidyUp(Date.now());
    const left = await readdir(join(root, 'all'));
    assert.deepEqual(left.map((name) => join(root, 'all', name)).sort(), [one.path, other.path, used].sort());
    await rm(one.path, { recursive: true });
    assert.deepEqual(await readdir(one.path), [], 'It comes again.');
    one.bringBack(old);
    assert.deepEqual(await readdir(old), [], 'So does one whose session goes on.');
  } finally {
    await rm(root, { recursive: true });
  }
});
