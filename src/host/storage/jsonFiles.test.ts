import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { endedHere } from '../../../test/unit-support/endedHere';
import { FakeDisk } from '../../../test/unit-support/storage';
import { JsonFiles } from './jsonFiles';

async function place(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-json-'));
  // Writes that the test left running may still create files.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

test('writes and removes files synchronously during shutdown', async (t) => {
  const folder = await place(t);
  const files = new JsonFiles(join(folder, 'deeper'));
  files.hurry();
  void (async () => {
    await files.write('a.json', '1');
    await files.write('b.json', '2');
    await files.remove('b.json');
  })();
  const ended = new JsonFiles(await endedHere(t, join(folder, 'deeper')));
  assert.deepEqual(await ended.names(), ['a.json']);
  assert.equal(await ended.read('a.json'), 1);
});

test('a write in progress at shutdown does not replace a newer file', async (t) => {
  const folder = await place(t);
  const files = new JsonFiles(folder);
  const until = async (isSo: () => Promise<boolean>) => {
    const deadline = performance.now() + 10_000;
    while (!(await isSo())) assert.ok(performance.now() < deadline);
  };
  let isOver = false;
  const stop = () => void (isOver = true);
  // Large enough for the file to be found half written.
  files.write('a.json', `"${'x'.repeat(50_000_000)}"`).then(stop, stop);
  await until(async () => (await files.names()).length > 0);
  files.hurry();
  await files.write('a.json', '2');
  // The draft is removed once the write is done.
  await until(async () => (await files.names()).length === 1);
  assert.equal(await files.read('a.json'), 2);
  assert.equal(isOver, false);
});

test('a failed write throws during shutdown', async (t) => {
  const folder = await place(t);
  const files = new JsonFiles(join(folder, 'a.json'));
  await new JsonFiles(folder).write('a.json', '1');
  files.hurry();
  await assert.rejects(files.write('b.json', '2'), { code: /EEXIST|ENOTDIR/ });
});

test('replaces a file that another program holds briefly', async (t) => {
  const folder = await place(t);
  const disk = new FakeDisk();
  const files = new JsonFiles(folder, undefined, disk);
  await files.write('a.json', '1');
  disk.held = 3;
  await files.write('a.json', '2');
  assert.equal(await files.read('a.json'), 2);
  files.hurry();
  disk.held = 3;
  void files.write('a.json', '3');
  assert.equal(await new JsonFiles(await endedHere(t, folder)).read('a.json'), 3);
});

test('leaves a file that stays held unchanged and removes the draft', async (t) => {
  const folder = await place(t);
  const disk = new FakeDisk();
  const files = new JsonFiles(folder, undefined, disk);
  await files.write('a.json', '1');
  disk.held = Infinity;
  await assert.rejects(files.write('a.json', '2'), { code: 'EPERM' });
  assert.equal(await files.read('a.json'), 1);
  assert.deepEqual(await readdir(folder), ['a.json']);
});

test('a delayed write does not replace a file written at shutdown', async (t) => {
  const folder = await place(t);
  const disk = new FakeDisk();
  const files = new JsonFiles(folder, undefined, disk);
  disk.held = 1;
  let isOver = false;
  const stop = () => void (isOver = true);
  const paused = new Promise<void>((resolve) => {
    disk.onPause = () => {
      files.hurry();
      void files.write('a.json', '2');
      resolve();
    };
  });
  files.write('a.json', '1').then(stop, stop);
  await paused;
  // The draft of the older write is removed when it is over.
  while ((await files.names()).length !== 1) await new Promise(setImmediate);
  assert.equal(await files.read('a.json'), 2);
  assert.equal(isOver, false);
});
