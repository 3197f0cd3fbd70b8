import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { FakeMachine } from '../../../test/unit-support/storage';
import { StorageWindows, thisMachine } from './storageWindows';

async function place(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-windows-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

test('shows a window to others until its process exits', async (t) => {
  const storage = await place(t);
  const machine = new FakeMachine();
  const [one, other] = [machine.window(storage), machine.window(storage)];
  t.after(() => [one, other].forEach(({ windows }) => windows.dispose()));
  assert.deepEqual(await one.windows.others(), new Set());
  other.windows.enter();
  assert.deepEqual(await one.windows.others(), new Set([other.windows.id]));
  let left = 0;
  one.windows.onDidLeave(() => (left += 1));
  other.end();
  assert.deepEqual([await one.windows.others(), left], [new Set(), 1]);
  assert.deepEqual(await readdir(join(storage, 'windows')), [], 'Its file is of no more use.');
});

test('distinguishes a new process with a reused id from the old window', async (t) => {
  const storage = await place(t);
  const machine = new FakeMachine();
  const one = machine.window(storage);
  const other = machine.window(storage);
  t.after(() => [one, other].forEach(({ windows }) => windows.dispose()));
  other.windows.enter();
  other.end();
  machine.reuse();
  assert.deepEqual(await one.windows.others(), new Set());
});

test('reports this process as started, and notices when another window leaves', async (t) => {
  const storage = await place(t);
  const one = new StorageWindows(storage);
  const other = new StorageWindows(storage);
  t.after(() => [one, other].forEach((window) => window.dispose()));
  other.enter();
  assert.deepEqual(await one.others(), new Set([other.id]));
  assert.equal(thisMachine.beganAt(process.pid), thisMachine.beganAt(process.pid));
  assert.equal(thisMachine.lives(2 ** 30), false);
  // The watcher alone doesn't keep the process running.
  const awake = setTimeout(() => undefined, 20_000);
  const heard = new Promise<void>((resolve) => one.onDidLeave(resolve));
  other.leave();
  await heard;
  clearTimeout(awake);
});

test('counts a window on another machine while it keeps reporting', async (t) => {
  const storage = await place(t);
  const one = new StorageWindows(storage);
  const far = new StorageWindows(storage, { ...thisMachine, host: 'elsewhere', lives: () => assert.fail() });
  t.after(() => [one, far].forEach((window) => window.dispose()));
  far.enter();
  const file = join(storage, 'windows', `${far.id}.json`);
  assert.deepEqual(await one.others(), new Set([far.id]));
  await utimes(file, 1, 1);
  assert.deepEqual(await one.others(), new Set());
});

test('ignores an unreadable window file', async (t) => {
  const storage = await place(t);
  const one = new StorageWindows(storage);
  t.after(() => one.dispose());
  one.enter();
  await writeFile(join(storage, 'windows', 'bad.json'), '{"pid":');
  assert.deepEqual(await one.others(), new Set());
});
