import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { defaultLimits, type BaselineLimits } from './baseline';
import { BlobStore } from './blobStore';
import { Recorder } from './recorder';
import { WorkspaceBaseline } from './workspaceBaseline';

async function place(t: TestContext, limits: BaselineLimits = defaultLimits, name = 'home') {
  const root = tempFolder(t);
  const home = join(root, name);
  await mkdir(home, { recursive: true });
  // The clock runs ahead, so that files count as older than the turn.
  const recorder = new Recorder(new BlobStore(join(root, 'blobs')), limits, () => Date.now() + 1000);
  const write = async (name: string, content: string) => {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), content);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', home, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
  const take = async () => {
    const ignored = { names: new Set(['node_modules']), globs: [] };
    const baseline = await WorkspaceBaseline.take([home], recorder, ignored, limits);
    t.after(() => baseline.dispose());
    return baseline;
  };
  const text = async (baseline: WorkspaceBaseline, name: string) => {
    const before = await baseline.read(join(home, name));
    return before?.kind === 'file' ? Buffer.from(before.bytes).toString() : before;
  };
  const changed = async (baseline: WorkspaceBaseline) =>
    (await baseline.changed()).map((path) => path.slice(home.length + 1)).sort();
  const unprotected = ({ unprotected: all }: WorkspaceBaseline) =>
    all.map(({ path, reason }) => `${path.slice(home.length + 1)} ${reason}`).sort();
  return { home, write, git, take, text, changed, unprotected };
}

test('records files beyond the first ones while the turn runs', async (t) => {
  for (const isRepository of [true, false]) {
    const { write, git, take, text, unprotected } = await place(t, { ...defaultLimits, newFiles: 3 });
    if (isRepository) git('init', '-q');
    for (let at = 0; at < 10; at++) await write(`f${at}`, `old ${at}`);
    const baseline = await take();
    await baseline.whole;
    assert.deepEqual(unprotected(baseline), []);
    for (let at = 0; at < 10; at++) await write(`f${at}`, 'by the agent');
    for (let at = 0; at < 10; at++) assert.equal(await text(baseline, `f${at}`), `old ${at}`);
  }
});

for (const [isRepository, where] of [
  [false, ''],
  [true, ', in a repository'],
] as const) {
  test(`names what is unprotected below a folder named like generated ones${where}`, async (t) => {
    const { write, git, take, unprotected } = await place(t, { ...defaultLimits, fileBytes: 1000 }, 'out/vendor/home');
    if (isRepository) git('init', '-q');
    await write('huge.bin', 'x'.repeat(1001));
    await write('build/huge.bin', 'x'.repeat(1001));
    assert.deepEqual(unprotected(await take()), ['huge.bin large']);
  });
}

test('never records what was written since the turn began', async (t) => {
  const { home, write } = await place(t);
  const recorder = new Recorder(new BlobStore(join(home, '..', 'blobs')), { ...defaultLimits, newFiles: 0 }, Date.now);
  await write('late.txt', 'old');
  const recorded = await recorder.record([join(home, 'late.txt')]);
  await write('late.txt', 'by the agent');
  await recorder.recordRest(recorded, Date.now() - 60_000, () => false);
  assert.equal(recorded.get(join(home, 'late.txt')), 'budget');
});

test('never records what is written while it is read', async (t) => {
  const { home, write } = await place(t);
  const path = join(home, 'late.txt');
  const recorder = new Recorder(new BlobStore(join(home, '..', 'blobs')), { ...defaultLimits, newFiles: 0 }, Date.now);
  await write('late.txt', 'old');
  const recorded = await recorder.record([path]);
  // The file system's clock lags behind.
  const since = Date.now() + 50;
  const isLater = async () => {
    while (Date.now() < since + 50) await new Promise((resolve) => setImmediate(resolve));
  };
  const recordOne = recorder['recordOne'].bind(recorder);
  let isWritten = true;
  t.mock.method(recorder, 'recordOne' as never, async (...args: Parameters<typeof recordOne>) => {
    const one = await recordOne(...args);
    await isLater();
    if (isWritten) await write('late.txt', 'by the agent');
    return one;
  });
  await recorder.recordRest(recorded, since, () => false);
  assert.equal(recorded.get(path), 'budget');
  // What nobody writes is recorded.
  isWritten = false;
  await recorder.recordRest(recorded, Date.now() + 60_000, () => false);
  assert.notEqual(recorded.get(path), 'budget');
});

test("git clean -fdx is undone for the user's own ignored files", async (t) => {
  const { home, write, git, take, text, changed, unprotected } = await place(t);
  git('init', '-q');
  await write('.gitignore', '.env\nlocal/\ndata/\ndist/\nnode_modules/\n*.sqlite\n');
  await write('a.txt', 'a');
  git('add', '.');
  git('commit', '-qm', 'one');
  await write('.env', 'SECRET=1');
  await write('local/deep/settings.json', '{}');
  await write('notes.sqlite', 'x'.repeat(2_000_000));
  await write('huge.sqlite', 'x'.repeat(5_000_001));
  for (let at = 0; at < 301; at++) await write(`data/${at}`, 'data');
  await write('dist/a.js', 'built');
  await write('node_modules/x/index.js', 'installed');
  const baseline = await take();
  assert.deepEqual(await changed(baseline), []);
  assert.deepEqual(unprotected(baseline), ['data ignored', 'huge.sqlite large']);
  git('clean', '-qfdx');
  assert.deepEqual(await changed(baseline), [
    '.env',
    'data',
    'dist',
    'huge.sqlite',
    'local/deep/settings.json',
    'node_modules',
    'notes.sqlite',
  ]);
  assert.equal(await text(baseline, '.env'), 'SECRET=1');
  assert.equal(await text(baseline, 'local/deep/settings.json'), '{}');
  assert.equal(await text(baseline, 'notes.sqlite'), 'x'.repeat(2_000_000));
  assert.deepEqual(await text(baseline, 'huge.sqlite'), { kind: 'skipped', reason: 'large' });
  assert.deepEqual(await text(baseline, 'data'), { kind: 'skipped', reason: 'ignored', within: join(home, 'data') });
});

test('lists new files of a recorded ignored folder, many as the folder', async (t) => {
  const { home, write, git, take, text, changed } = await place(t);
  git('init', '-q');
  await write('.gitignore', 'local/\n');
  await write('local/mine', 'mine');
  const baseline = await take();
  await write('local/new', 'by the agent');
  assert.deepEqual(await changed(baseline), ['local/new']);
  assert.deepEqual(await text(baseline, 'local/new'), { kind: 'absent' });
  for (let at = 0; at < 300; at++) await write(`local/${at}`, 'built');
  assert.deepEqual(await changed(baseline), ['local']);
  assert.deepEqual(await text(baseline, 'local'), { kind: 'skipped', reason: 'ignored', within: join(home, 'local') });
  assert.equal(await text(baseline, 'local/mine'), 'mine');
  await rm(join(home, 'local'), { recursive: true });
  assert.deepEqual(await changed(baseline), ['local/mine']);
});

test('says which files of a plain folder are not recorded', async (t) => {
  const { write, take, unprotected } = await place(t, { ...defaultLimits, files: 3 });
  await write('huge.bin', 'x'.repeat(5_000_001));
  await write('node_modules/x.js', 'x');
  assert.deepEqual(unprotected(await take()), ['huge.bin large']);
  for (const name of ['a', 'b', 'c', 'd']) await write(name, name);
  assert.ok(unprotected(await take()).includes(' budget'));
});
