import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { noteUse, removeOldVersions } from './usedVersions';

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-versions-'));
  folder = join(root, 'one');
  for (const version of ['1.0.0', '2.0.0']) await mkdir(join(folder, version), { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

const current = () => join(folder, '2.0.0');

suite('an old version', () => {
  test('is removed when it is unused', async () => {
    assert.equal(await removeOldVersions(folder, current(), false), false);
    assert.deepEqual(await readdir(folder), ['2.0.0']);
  });

  test('is kept while sessions of this window use it', async () => {
    noteUse(join(folder, '1.0.0'));
    assert.equal(await removeOldVersions(folder, current(), true), true);
    assert.deepEqual(await readdir(folder), ['.used', '1.0.0', '2.0.0']);
    assert.equal(await removeOldVersions(folder, current(), false), false);
    assert.deepEqual(await readdir(folder), ['.used', '2.0.0']);
  });

  test('is kept while another window that started it is open', async () => {
    const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = once(other, 'exit');
    await mkdir(join(folder, '.used'));
    await writeFile(join(folder, '.used', `1.0.0@${other.pid!}`), '');
    assert.equal(await removeOldVersions(folder, current(), false), true);
    other.stdin.end();
    await ended;
    assert.equal(await removeOldVersions(folder, current(), false), false);
    assert.deepEqual(await readdir(join(folder, '.used')), []);
  });

  test('is removed with the agent', async () => {
    noteUse(join(folder, '2.0.0'));
    assert.equal(await removeOldVersions(folder, undefined, false), false);
    assert.deepEqual(await readdir(root), []);
  });
});

test('a crashed download is removed after a day', async () => {
  for (const name of ['.tmp-new', '.tmp-old']) await mkdir(join(folder, name));
  const yesterday = new Date(Date.now() - 90_000_000);
  await utimes(join(folder, '.tmp-old'), yesterday, yesterday);
  await removeOldVersions(folder, current(), false);
  assert.deepEqual(await readdir(folder), ['.tmp-new', '2.0.0']);
});
