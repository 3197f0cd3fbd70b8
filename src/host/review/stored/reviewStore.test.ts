import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test, type TestContext } from 'node:test';
import { setInterval as every } from 'node:timers/promises';
import type { AgentAuthor } from '../../../review/hunks/hunk';
import { endedHere } from '../../../../test/unit-support/endedHere';
import { FakeMachine, heardTroubles, noTroubles, placeOf } from '../../../../test/unit-support/storage';
import { ReviewLog } from '../../../review/log/reviewLog';
import type { SessionKey } from '../../../shared/values/ids';
import { JsonFiles } from '../../storage/jsonFiles';
import { ReviewStore, type StoredTurn } from './reviewStore';

const author: AgentAuthor = { kind: 'agent', agentName: 'Agent', session: 's' as SessionKey, turn: 3 };
const text = (content: string) => ({ kind: 'text', text: content }) as const;

async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-review-'));
  const opened: (() => Promise<void>)[] = [];
  t.after(async () => {
    // What the test changed last is still to be written.
    for (const close of opened) await close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const machine = new FakeMachine();
  let last = (): void => undefined;
  /** Opens a window after the previous one has exited, or `beside` it. */
  const open = async (
    turns: readonly StoredTurn[] = [],
    root = folder,
    { beside = false, troubles = noTroubles } = {},
  ) => {
    if (!beside) last();
    const { windows, end } = machine.window(root);
    last = end;
    const log = new ReviewLog();
    const store = new ReviewStore(log, () => turns, placeOf(root, windows, troubles));
    opened.push(async () => {
      await store.flush().catch(() => undefined);
      for (const one of [store, windows]) one.dispose();
    });
    const loaded = await store.load();
    // A loaded window rewrites what it adopts, and that must not happen after the test.
    await store.flush();
    return { log, store, loaded, windows, end };
  };
  return { open, names: () => readdir(join(folder, 'review')), folder: join(folder, 'review') };
}

function change(log: ReviewLog, uri: string): void {
  log.track(uri, text('one\ntwo\nthree\n'));
  log.agentEdit(uri, text('one\nTWO\nthree\n'), author);
}

test('restores pending changes with ids, authors, and the undoable keep', async (t) => {
  const { open } = await place(t);
  const first = await open([{ author, startedAt: 5 }]);
  change(first.log, 'file:///a');
  change(first.log, 'file:///b');
  first.log.keep('file:///b');
  await first.store.flush();
  const second = await open();
  assert.deepEqual(second.log.pending, ['file:///a']);
  assert.deepEqual(second.log.file('file:///a')?.hunks, first.log.file('file:///a')?.hunks);
  assert.deepEqual(second.loaded, { files: ['file:///a', 'file:///b'], turns: [{ author, startedAt: 5 }], windows: 1 });
  assert.deepEqual(second.log.undoLastKeep(), ['file:///b']);
  change(second.log, 'file:///c');
  const ids = second.log.pending.flatMap((uri) => second.log.file(uri)?.hunks.map(({ id }) => id) ?? []);
  assert.equal(new Set(ids).size, 3, 'an id that was given before is not given again');
});

test('stores a change without an explicit flush', async (t) => {
  const { open, names } = await place(t);
  const { log } = await open();
  change(log, 'file:///a');
  const until = performance.now() + 10_000;
  while (!(await names().catch((): string[] => [])).some((name) => name.startsWith('marks.')))
    assert.ok(performance.now() < until);
  const second = await open();
  assert.deepEqual(second.log.pending, ['file:///a']);
});

test('an immediate shutdown writes everything, including saves in progress', async (t) => {
  const { open, folder } = await place(t);
  const { log, store } = await open();
  const uris = Array.from({ length: 30 }, (_, at) => `file:///${at}`);
  for (const uri of uris) change(log, uri);
  const saving = store.flush();
  await new Promise(setImmediate);
  change(log, 'file:///late');
  log.keep('file:///0');
  store.flushNow();
  const ended = await open([], join(await endedHere(t, join(folder, '..'))));
  assert.deepEqual(ended.log.pending.toSorted(), [...uris.slice(1), 'file:///late'].toSorted());
  await store.flush();
  void saving;
  const later = await open();
  assert.deepEqual(later.log.pending.toSorted(), ended.log.pending.toSorted());
});

test('a window that closes before loading leaves stored changes as they are', async (t) => {
  const { open, folder } = await place(t);
  const { log, store } = await open();
  change(log, 'file:///a');
  await store.flush();
  const short = new ReviewStore(
    new ReviewLog(),
    () => [],
    placeOf(join(folder, '..'), new FakeMachine().window(join(folder, '..')).windows),
  );
  const loading = short.load();
  short.flushNow();
  short.dispose();
  const ended = await open([], join(await endedHere(t, join(folder, '..'))));
  await loading;
  assert.deepEqual([ended.log.pending, (await open()).log.pending], [['file:///a'], ['file:///a']]);
});

test('does not write a large file on every change', async (t) => {
  t.after(() => mock.timers.reset());
  const { open, folder } = await place(t);
  const { log, store } = await open();
  const uri = 'file:///large';
  const lines = 'a line of a large file\n'.repeat(200_000);
  log.track(uri, text(lines));
  log.agentEdit(uri, text(`first\n${lines}`), author);
  await store.flush();
  const path = join(folder, (await readdir(folder)).find((name) => /^[0-9a-f]{40}/.test(name)) ?? '');
  const written = async () => (await readFile(path, 'utf8')).includes('second');
  const version = async () => (await stat(path, { bigint: true })).mtimeNs;
  mock.timers.enable({ apis: ['setTimeout'] });
  log.agentEdit(uri, text(`second\n${lines}`), author);
  mock.timers.tick(1000);
  // A save in progress would end before this write.
  await new JsonFiles(folder).write('other.json', JSON.stringify(lines.repeat(3)));
  assert.equal(await written(), false);
  const before = await version();
  mock.timers.tick(9000);
  const until = performance.now() + 10_000;
  // While a program looks at the file, Windows refuses to replace it, and the store tries again later.
  for await (const pause of every(50, 50)) {
    if ((await version()) !== before) break;
    assert.ok(performance.now() < until);
    mock.timers.tick(pause);
  }
  await store.flush();
  assert.equal(await written(), true);
});

test('kept or undone changes leave no files', async (t) => {
  const { open, names } = await place(t);
  const { log, store } = await open();
  change(log, 'file:///a');
  await store.flush();
  assert.equal((await names()).length, 2);
  log.userEdit('file:///a', text('one\ntwo\nthree\n'));
  await store.flush();
  assert.deepEqual(
    (await names()).map((name) => name.split('.')[0]),
    ['marks'],
  );
});

test('sets a damaged file aside without affecting the others', async (t) => {
  const { open, names, folder } = await place(t);
  const { log, store } = await open();
  change(log, 'file:///a');
  await store.flush();
  const [first = ''] = (await names()).filter((name) => !name.startsWith('marks.'));
  change(log, 'file:///b');
  await store.flush();
  await writeFile(join(folder, first), '{"base":');
  const troubles = heardTroubles();
  const second = await open([], undefined, { troubles });
  assert.deepEqual([second.log.pending, troubles.heard], [['file:///b'], ['changes set aside']]);
  assert.equal(await readFile(troubles.paths[0] ?? '', 'utf8'), '{"base":');
});

test("keeps changes and unique ids when the window's state is lost", async (t) => {
  const { open, names, folder } = await place(t);
  const first = await open();
  change(first.log, 'file:///a');
  change(first.log, 'file:///b');
  first.log.keep('file:///b');
  await first.store.flush();
  const [marks = ''] = (await names()).filter((name) => name.startsWith('marks.'));
  await writeFile(join(folder, marks), '');
  const second = await open([], undefined, { troubles: heardTroubles() });
  assert.deepEqual(second.log.pending, ['file:///a']);
  assert.deepEqual(second.log.undoLastKeep(), ['file:///b']);
  change(second.log, 'file:///c');
  const ids = second.log.pending.flatMap((uri) => second.log.file(uri)?.hunks.map(({ id }) => id) ?? []);
  assert.equal(new Set(ids).size, 3);
});

test('adopts records of an earlier version, not of a later one', async (t) => {
  const { open, folder } = await place(t);
  const old = new ReviewLog();
  change(old, 'file:///a');
  const [uri, file] = old.toJSON().files[0] ?? assert.fail();
  const files = new JsonFiles(folder);
  await files.write(JsonFiles.nameOf(uri), JSON.stringify(file));
  await files.write('index.json', JSON.stringify({ ...old.marks, files: [uri], turns: [{ author, startedAt: 5 }] }));
  const later = JsonFiles.nameOf('file:///z').replace('.json', '.fromlater.json');
  await files.write(later, '{"version":3}');
  const { log, loaded, store } = await open();
  assert.deepEqual(log.file(uri)?.hunks, old.file(uri)?.hunks);
  assert.deepEqual(loaded, { files: [uri], turns: [{ author, startedAt: 5 }], windows: 2 });
  await store.flush();
  const names = await files.names();
  assert.equal(names.includes('index.json'), false);
  assert.ok(names.includes(later));
});

test("leaves a parallel window's records alone until it closes", async (t) => {
  const { open } = await place(t);
  const first = await open();
  change(first.log, 'file:///a');
  change(first.log, 'file:///both');
  first.log.keep('file:///a');
  change(first.log, 'file:///a2');
  await first.store.flush();
  const second = await open([], undefined, { beside: true });
  assert.deepEqual([second.log.pending, second.loaded.files], [[], []]);
  change(second.log, 'file:///b');
  change(second.log, 'file:///both');
  second.log.keep('file:///b');
  await second.store.flush();
  await first.store.flush();
  first.end();
  assert.deepEqual((await second.store.load()).files.toSorted(), ['file:///a', 'file:///a2']);
  assert.deepEqual(second.log.pending, ['file:///a2', 'file:///both']);
  // Each window's keep is separate, even with the same number.
  assert.deepEqual(second.log.undoLastKeep(), ['file:///b']);
  assert.deepEqual(second.log.undoLastKeep(), ['file:///a']);
  await second.store.flush();
  const third = await open();
  assert.deepEqual(third.log.pending, ['file:///a', 'file:///a2', 'file:///b', 'file:///both']);
});
