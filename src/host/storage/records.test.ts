import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test, type TestContext } from 'node:test';
import { endedHere } from '../../../test/unit-support/endedHere';
import { FakeDisk, heardTroubles } from '../../../test/unit-support/storage';
import { JsonFiles } from './jsonFiles';
import { Records } from './records';

async function place(t: TestContext, before?: () => void) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-records-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const disk = new FakeDisk();
  const troubles = heardTroubles();
  const files = new JsonFiles(folder, (path) => troubles.setAside('sessions', path), disk);
  const records = new Records(files, 'sessions', troubles, before);
  t.after(() => records.dispose());
  return { folder, disk, troubles, files, records };
}

const parse = (json: unknown) => (typeof json === 'string' ? json : undefined);

test('retries writes refused by a full disk and never leaves half-written files', async (t) => {
  t.after(() => mock.timers.reset());
  let attempts = 0;
  const { folder, disk, troubles, records } = await place(t, () => void (attempts += 1));
  records.set('a.json', '"old"');
  await records.flush();
  disk.isFull = true;
  mock.timers.enable({ apis: ['setTimeout'] });
  records.set('a.json', '"new"');
  records.set('b.json', '"more"');
  await records.flush();
  assert.deepEqual([await readdir(folder), await readFile(join(folder, 'a.json'), 'utf8')], [['a.json'], '"old"']);
  assert.equal(await records.load('a.json', parse), 'new', 'Who reads it here gets what is to be there.');
  const waits: number[] = [];
  for (let at = 0; at < 3; at += 1) {
    const { length } = troubles.heard;
    let waited = 0;
    for (const before = attempts; attempts === before; waited += 500) {
      mock.timers.tick(500);
      await new Promise(setImmediate);
    }
    waits.push(waited);
    // The next delay begins once this attempt has failed, however long the disk takes for it.
    while (troubles.heard.length === length) await new Promise(setImmediate);
  }
  assert.deepEqual(waits, [1000, 2000, 4000]);
  disk.isFull = false;
  mock.timers.tick(8000);
  while (!troubles.heard.includes('sessions saved')) await new Promise(setImmediate);
  assert.deepEqual((await readdir(folder)).sort(), ['a.json', 'b.json']);
  assert.equal(await readFile(join(folder, 'a.json'), 'utf8'), '"new"');
  assert.equal(troubles.heard[0], 'sessions not saved: ENOSPC');
});

test('retries refused writes with the next change and at shutdown', async (t) => {
  const { folder, disk, records } = await place(t);
  disk.isFull = true;
  records.set('a.json', '1');
  await records.flush();
  disk.isFull = false;
  records.set('b.json', '2');
  await records.flush();
  assert.deepEqual((await readdir(folder)).sort(), ['a.json', 'b.json']);
  disk.isFull = true;
  records.set('c.json', '3');
  await records.flush();
  disk.isFull = false;
  void records.flushNow();
  assert.ok((await readdir(await endedHere(t, folder))).includes('c.json'));
});

test('a record that is too large does not block the others', async (t) => {
  const { folder, disk, records } = await place(t);
  const { writeFile: write } = disk.inTime;
  disk.inTime.writeFile = (path, text, options) =>
    text.length > 10 ? Promise.reject(new Error('too large')) : write(path, text, options);
  records.set('large.json', '"more than there is room for"');
  records.set('small.json', '1');
  await records.flush();
  assert.deepEqual([await readdir(folder), records.isBehind], [['small.json'], true]);
});

test('sets an unreadable record aside unchanged under its own name', async (t) => {
  const { folder, files, troubles } = await place(t);
  for (const text of ['{"cut', '{"cut again', '7']) {
    await writeFile(join(folder, 'a.json'), text);
    assert.equal(await files.load('a.json', parse), undefined);
  }
  assert.deepEqual(await files.names(), []);
  const texts = await Promise.all(troubles.paths.map((path) => readFile(path, 'utf8')));
  assert.deepEqual(texts, ['{"cut', '{"cut again', '7']);
});

test('keeps a record pending while its file is held, then writes it', async (t) => {
  const { folder, disk, troubles, records } = await place(t);
  records.set('a.json', '"old"');
  await records.flush();
  disk.held = Infinity;
  records.set('a.json', '"new"');
  await records.flush();
  assert.deepEqual(troubles.heard, ['sessions not saved: EPERM']);
  assert.equal(await records.load('a.json', parse), 'new');
  assert.equal(await readFile(join(folder, 'a.json'), 'utf8'), '"old"');
  disk.held = 0;
  await records.flush();
  assert.equal(await readFile(join(folder, 'a.json'), 'utf8'), '"new"');
  assert.deepEqual(troubles.heard, ['sessions not saved: EPERM', 'sessions saved']);
});
