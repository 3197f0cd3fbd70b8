import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { posixOnly } from '../../test/unit-support/platform';
import { BlobStore } from './blobStore';
import { defaultLimits, type BaselineLimits } from './baseline';
import { parseStatus } from './gitBaseline';
import { Recorder } from './recorder';
import { WorkspaceBaseline } from './workspaceBaseline';
import { tempFolder } from '../../test/unit-support/tempFolder';

const ignored = { names: new Set(['node_modules']), globs: [] };

async function place(t: TestContext, isRepository: boolean, limits: BaselineLimits = defaultLimits, leadMs = 0) {
  const root = tempFolder(t);
  const folder = join(root, 'project');
  await mkdir(folder);
  const store = new BlobStore(join(root, 'blobs'));
  const recorder = new Recorder(store, limits, () => Date.now() + leadMs);
  const path = (name: string) => join(folder, name);
  const write = async (name: string, content: string | Uint8Array) => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), content);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
  if (isRepository) git('init', '-q');
  const take = async () => {
    const baseline = await WorkspaceBaseline.take([folder], recorder, ignored, limits);
    t.after(() => baseline.dispose());
    const text = async (name: string) => {
      const before = await baseline.read(path(name));
      return before?.kind === 'file' ? Buffer.from(before.bytes).toString('latin1') : before;
    };
    return { baseline, text };
  };
  return { root, folder, store, path, write, git, take };
}

test('returns content from before the turn, whatever git does later', async (t) => {
  const { write, git, take, path } = await place(t, true);
  for (const name of ['kept.ts', 'changed.ts', 'staged.ts', 'gone.ts', 'with space ä.ts'])
    await write(name, `old ${name}`);
  await write('.gitignore', 'node_modules\n');
  git('add', '.');
  git('commit', '-qm', 'one');
  await write('changed.ts', 'changed by the user');
  await write('staged.ts', 'staged by the user');
  git('add', 'staged.ts');
  await rm(path('gone.ts'));
  await write('untracked/new.ts', 'untracked');
  await write('node_modules/x.js', 'module');
  const { text } = await take();
  for (const name of ['kept.ts', 'changed.ts', 'staged.ts', 'untracked/new.ts', 'node_modules/x.js'])
    await write(name, 'by the agent');
  git('add', '.');
  git('commit', '-qm', 'by the agent');
  git('checkout', '-q', '-b', 'other');
  assert.equal(await text('kept.ts'), 'old kept.ts');
  assert.equal(await text('with space ä.ts'), Buffer.from('old with space ä.ts').toString('latin1'));
  assert.equal(await text('changed.ts'), 'changed by the user');
  assert.equal(await text('staged.ts'), 'staged by the user');
  assert.equal(await text('untracked/new.ts'), 'untracked');
  assert.deepEqual(await text('gone.ts'), { kind: 'absent' });
  assert.deepEqual(await text('never.ts'), { kind: 'absent' });
  const within = path('node_modules');
  assert.deepEqual(await text('node_modules/x.js'), { kind: 'skipped', reason: 'ignored', within });
});

test('returns bytes as in the working tree, including CRLF and executable bit', posixOnly, async (t) => {
  const { write, git, take, path } = await place(t, true);
  await write('.gitattributes', '*.bat text eol=crlf\n');
  await write('run.bat', 'one\r\ntwo\r\n');
  await write('tool.sh', '#!/bin/sh\n');
  await chmod(path('tool.sh'), 0o755);
  await write('big.txt', 'a line of a big file\n'.repeat(20_000));
  const binary = Uint8Array.from({ length: 256 }, (_, value) => value);
  await write('picture.bin', binary);
  git('add', '.');
  git('commit', '-qm', 'one');
  const { text, baseline } = await take();
  assert.equal(await text('run.bat'), 'one\r\ntwo\r\n');
  const [big, again] = await Promise.all([text('big.txt'), text('run.bat')]);
  assert.equal(big, 'a line of a big file\n'.repeat(20_000));
  assert.equal(again, 'one\r\ntwo\r\n');
  assert.equal(await text('picture.bin'), Buffer.from(binary).toString('latin1'));
  const tool = await baseline.read(path('tool.sh'));
  assert.equal(tool?.kind === 'file' && tool.isExecutable, true);
});

test('records a repository without commits or a plain folder by file', async (t) => {
  for (const isRepository of [true, false]) {
    const { write, take } = await place(t, isRepository);
    await write('a/b.ts', 'before');
    const { text } = await take();
    await write('a/b.ts', 'after');
    await write('c.ts', 'new');
    assert.equal(await text('a/b.ts'), 'before');
    assert.deepEqual(await text('c.ts'), { kind: 'absent' });
  }
});

test('finds changes without a watcher, whatever git did in the meantime', posixOnly, async (t) => {
  for (const isRepository of [true, false]) {
    const { write, git, take, path, folder } = await place(t, isRepository);
    for (const name of ['same', 'changed', 'gone', 'dirty', 'dirtyGone', 'mode']) await write(name, name);
    await write('.gitignore', 'node_modules\n');
    if (isRepository) {
      git('add', '.');
      git('commit', '-qm', 'one');
    }
    await write('dirty', 'by the user');
    await write('dirtyGone', 'by the user');
    const { baseline } = await take();
    assert.deepEqual(await baseline.changed(), []);
    await write('changed', 'by the agent');
    await write('dirty', 'by the agent too');
    await write('new/file', 'new');
    await write('node_modules/x', 'x');
    await rm(path('gone'));
    await rm(path('dirtyGone'));
    await chmod(path('mode'), 0o755);
    const names = ['changed', 'dirty', 'dirtyGone', 'gone', 'mode', 'new/file', 'node_modules'];
    const expected = names.map((name) => join(folder, name));
    assert.deepEqual((await baseline.changed()).sort(), expected);
    if (!isRepository) continue;
    git('add', '-A');
    git('commit', '-qm', 'by the agent');
    assert.deepEqual((await baseline.changed()).sort(), expected);
    git('checkout', '-qf', 'HEAD~1');
    // Back to the commit, but not to the user's uncommitted changes.
    assert.deepEqual(
      (await baseline.changed()).sort(),
      ['dirty', 'dirtyGone', 'node_modules'].map((name) => join(folder, name)),
    );
  }
});

test('a folder reached through a link keeps its name in the workspace', posixOnly, async (t) => {
  const { root, folder, write, store } = await place(t, false);
  await write('a', 'before');
  const named = join(root, 'linked');
  await symlink(folder, named);
  const recorder = new Recorder(store, defaultLimits, () => Date.now());
  const baseline = await WorkspaceBaseline.take([named], recorder, ignored, defaultLimits);
  await write('a', 'after it');
  assert.deepEqual(await baseline.changed(), [join(named, 'a')]);
  const before = await baseline.read(join(named, 'a'));
  assert.equal(before?.kind === 'file' && Buffer.from(before.bytes).toString(), 'before');
});

test('skips ignored and oversized files without treating them as absent', async (t) => {
  const { write, take, path } = await place(t, false, { fileBytes: 10, totalBytes: 1000, files: 3, newFiles: 100 });
  await write('node_modules/x.js', 'x');
  await write('large.txt', 'more than ten bytes');
  await write('small.txt', 'small');
  const { text } = await take();
  const within = path('node_modules');
  assert.deepEqual(await text('node_modules/x.js'), { kind: 'skipped', reason: 'ignored', within });
  assert.deepEqual(await text('large.txt'), { kind: 'skipped', reason: 'large' });
  assert.equal(await text('small.txt'), 'small');
  for (const name of ['1', '2', '3', '4']) await write(name, name);
  const later = await take();
  assert.deepEqual(await later.text('never.txt'), { kind: 'skipped', reason: 'budget' });
});

test('applies .gitignore files the same way without a repository', async (t) => {
  const { write, take, folder } = await place(t, false);
  await write('.gitignore', '*.log\n');
  await write('a.log', 'log');
  await write('sub/.gitignore', 'made/\n');
  await write('sub/made/x', 'x');
  await write('sub/written', 'w');
  const { baseline, text } = await take();
  await write('b.log', 'new');
  await write('sub/made/y', 'y');
  await write('venv/.gitignore', '*\n');
  await write('venv/z', 'z');
  // Files that the agent starts to ignore during its turn were visible before.
  await write('.gitignore', '*.log\nsub/written\n');
  await write('sub/written', 'by the agent');
  assert.equal(await text('a.log'), 'log', 'a small file is recorded all the same');
  assert.deepEqual(await text('b.log'), { kind: 'absent' });
  for (const name of ['sub/made/x', 'sub/made/y']) {
    const within = join(folder, dirname(name));
    assert.deepEqual(await text(name), { kind: 'skipped', reason: 'ignored', within }, name);
  }
  assert.equal(await text('sub/written'), 'w');
  assert.deepEqual(
    (await baseline.changed()).sort(),
    ['.gitignore', 'b.log', 'sub/made', 'sub/written', 'venv/.gitignore', 'venv/z'].map((name) => join(folder, name)),
  );
});

test('records a large folder over several turns', async (t) => {
  const { write, take } = await place(t, false, { ...defaultLimits, newFiles: 2 }, 1000);
  for (const name of ['1', '2', '3', '4']) await write(name, name);
  const known = async ({ text }: Awaited<ReturnType<typeof take>>) =>
    (await Promise.all(['1', '2', '3', '4'].map(text))).filter((found) => typeof found === 'string').length;
  assert.equal(await known(await take()), 2);
  assert.equal(await known(await take()), 4);
});

test('reads a file again if it changed since the last baseline', async (t) => {
  const { write, take, path } = await place(t, false);
  await write('a.ts', 'one');
  const first = await take();
  await write('a.ts', 'two');
  await utimes(path('a.ts'), new Date(), new Date(Date.now() + 5));
  const second = await take();
  assert.equal(await first.text('a.ts'), 'one');
  assert.equal(await second.text('a.ts'), 'two');
});

test('stores each content once, prunes the least recently used, detects damage', async (t) => {
  const { root } = await place(t, false);
  const folder = join(root, 'store');
  const store = new BlobStore(folder);
  const bytes = (text: string) => Buffer.from(text);
  const [a, b, c] = [
    await store.save(bytes('a'.repeat(100))),
    await store.save(bytes('b'.repeat(100))),
    await store.save(bytes('c')),
  ];
  assert.equal(await store.save(bytes('c')), c);
  const old = new Date(Date.now() - 60_000);
  const fileOf = (hash: string) => join(folder, hash.slice(0, 2), hash.slice(2));
  await utimes(fileOf(a), old, old);
  await store.prune(150, new Set());
  assert.equal(await store.get(a), undefined);
  assert.deepEqual(await store.get(b), bytes('b'.repeat(100)));
  await store.prune(0, new Set([c]));
  assert.equal(await store.get(b), undefined);
  await writeFile(fileOf(c), 'damaged');
  assert.equal(await store.get(c), undefined);
  assert.equal(await new BlobStore(folder).save(bytes('c')), c);
  assert.deepEqual(await store.get(c), bytes('c'));
});

test('parses a status with any file names', () => {
  const lines = [
    '# branch.oid 1234abcd',
    '# branch.head main',
    '1 .M N... 100644 100644 100644 aaaa bbbb name with  spaces.ts',
    'u UU N... 100644 100644 100644 100644 aaaa bbbb cccc both.ts',
    '? # odd.ts',
    '? nested/',
    '! .env',
    '! dist/',
    '',
  ];
  assert.deepEqual(parseStatus(lines.join('\0')), {
    head: '1234abcd',
    paths: ['name with  spaces.ts', 'both.ts', '# odd.ts'],
    ignoredFiles: ['.env'],
    ignoredFolders: ['dist'],
    repositories: ['nested'],
  });
  assert.equal(parseStatus('# branch.oid (initial)\0').head, undefined);
});
