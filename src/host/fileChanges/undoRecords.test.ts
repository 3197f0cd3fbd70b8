import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { RestoreUndo } from '../../review/checkpoints/restoreUndo';
import type { EntryId, SessionKey } from '../../shared/values/ids';
import { JsonFiles } from '../storage/jsonFiles';
import { UndoRecords } from './undoRecords';
import { undoName } from './undoNames';

async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-restores-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'restores');
  return { path, open: () => new UndoRecords(new JsonFiles(path)) };
}

const one = 'one' as SessionKey;
const other = 'other' as SessionKey;
const notice = (name: string) => name as EntryId;

function undoOf(session: SessionKey, name: string, madeAt: number): RestoreUndo {
  const before = { kind: 'stored', hash: `${name} before`, size: 100 } as const;
  const files = new Map([['file:///a', { restored: { kind: 'absent' }, before } as const]]);
  return { session, notice: notice(name), name, madeAt, isOpen: true, files, removed: [] };
}

const names = (undos: readonly RestoreUndo[]) => undos.map(({ name }) => name);

test('an undo is available in the next window until it is used', async (t) => {
  const { path, open } = await place(t);
  const undos = open();
  assert.deepEqual([await undos.all(), await undos.get(one, notice('n1'))], [[], undefined]);
  await undos.save(undoOf(one, 'n2', 2));
  await undos.save(undoOf(one, 'n1', 1));
  await undos.save(undoOf(other, 'n1', 3));
  const next = open();
  assert.deepEqual(await next.get(one, notice('n1')), undoOf(one, 'n1', 1));
  assert.deepEqual([names(await next.of(one)), names(await next.of(other))], [['n1', 'n2'], ['n1']]);
  await next.save({ ...undoOf(one, 'n1', 1), isOpen: false });
  assert.equal((await undos.get(one, notice('n1')))?.isOpen, false);
  await next.remove(undoOf(one, 'n1', 1));
  assert.deepEqual([await undos.get(one, notice('n1')), (await readdir(path)).length], [undefined, 2]);
});

test('skips damaged, misnamed, and unknown-version files without hiding others', async (t) => {
  const { path, open } = await place(t);
  const undos = open();
  const fileOf = (name: string) => join(path, undoName(one, notice(name)));
  for (const [at, name] of ['cut', 'newer', 'moved', 'good'].entries()) await undos.save(undoOf(one, name, at));
  const text = await readFile(fileOf('cut'), 'utf8');
  await writeFile(fileOf('cut'), text.slice(0, text.length / 2));
  await writeFile(fileOf('newer'), (await readFile(fileOf('newer'), 'utf8')).replace('"version":1', '"version":2'));
  await rename(fileOf('moved'), fileOf('taken'));
  // A leftover from a window that was killed while writing.
  await writeFile(`${fileOf('good')}.draft`, '{');
  assert.deepEqual(names(await open().of(one)), ['good']);
  for (const name of ['cut', 'newer', 'moved', 'taken']) assert.equal(await undos.get(one, notice(name)), undefined);
  await undos.trim({ count: 9, size: 1000 });
  const left = [fileOf('good'), `${fileOf('good')}.draft`, fileOf('newer')].map((file) => basename(file));
  assert.deepEqual((await readdir(path)).sort(), [...left, 'damaged'].sort());
  const aside = ['cut', 'taken'].map((name) => basename(fileOf(name)));
  assert.deepEqual((await readdir(join(path, 'damaged'))).sort(), aside.sort(), 'Nothing is deleted.');
});

test('removes the oldest undos across sessions when over the limit', async (t) => {
  const { open } = await place(t);
  const undos = open();
  await undos.save(undoOf(one, 'n1', 1));
  await undos.save(undoOf(other, 'n2', 2));
  await undos.save(undoOf(one, 'n3', 3));
  assert.deepEqual(await undos.trim({ count: 3, size: 300 }), []);
  assert.deepEqual(names(await undos.trim({ count: 3, size: 299 })), ['n1']);
  assert.deepEqual(names(await undos.all()), ['n2', 'n3']);
  assert.deepEqual(names(await undos.trim({ count: 1, size: 299 })), ['n2']);
  assert.deepEqual(names(await undos.all()), ['n3']);
});
