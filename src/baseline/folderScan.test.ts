import assert from 'node:assert/strict';
import type { Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { isFolderCreatedSince } from './folderScan';

/** Looks at a file system that reports other creation times than this one's. */
function reporting(birthtimeMs: (info: Stats) => number): typeof lstat {
  const look = async (path: string) => {
    const info = await lstat(path);
    return Object.assign(info, { birthtimeMs: birthtimeMs(info) });
  };
  return look as typeof lstat;
}

test('treats a folder as new only if creation times are recorded', async (t) => {
  const folder = join(tempFolder(t), 'a', 'b');
  await mkdir(folder, { recursive: true });
  const top = (await lstat(join(folder, '..', '..'))).ino;
  // Whatever this file system records.
  const recorded = reporting(({ ino, mtimeMs }) => (ino === top ? mtimeMs - 60_000 : mtimeMs));
  const madeAt = (await lstat(folder)).mtimeMs;
  assert.equal(await isFolderCreatedSince(folder, madeAt, recorded), true);
  assert.equal(await isFolderCreatedSince(folder, madeAt + 1, recorded), false);
  assert.equal(await isFolderCreatedSince(join(folder, 'missing'), 0, recorded), false);
  const others = [() => 0, ({ mtimeMs }: Stats) => mtimeMs, ({ ctimeMs }: Stats) => ctimeMs];
  for (const time of others) assert.equal(await isFolderCreatedSince(folder, madeAt - 1000, reporting(time)), false);
});
