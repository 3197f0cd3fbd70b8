import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { posixOnly } from '../../test/unit-support/platform';
import { defaultLimits } from './baseline';
import { BlobStore } from './blobStore';
import type { gitBaseline } from './gitBaseline';
import { Recorder } from './recorder';
import { WorkspaceBaseline } from './workspaceBaseline';
import { tempFolder } from '../../test/unit-support/tempFolder';

const ignored = { names: new Set(['node_modules']), generated: new Set(['build', 'dist']), globs: [] };

async function place(t: TestContext) {
  const root = tempFolder(t);
  const recorder = new Recorder(new BlobStore(join(root, 'blobs')), defaultLimits, () => Date.now());
  const home = join(root, 'home');
  await mkdir(home);
  const path = (name: string) => join(home, name);
  const write = async (name: string, content: string) => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), content);
  };
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', [
      '-C',
      path(folder),
      '-c',
      'user.name=T',
      '-c',
      'user.email=t@example.com',
      '-c',
      'protocol.file.allow=always',
      ...args,
    ]);
  const repository = async (folder: string, files: Readonly<Record<string, string>>) => {
    await mkdir(path(folder), { recursive: true });
    git(folder, 'init', '-q', '-b', 'main');
    for (const [name, text] of Object.entries(files)) await write(join(folder, name), text);
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'one');
  };
  const take = async (folder: string) => {
    const baseline = await WorkspaceBaseline.take([path(folder)], recorder, ignored, defaultLimits);
    t.after(() => baseline.dispose());
    const text = async (name: string) => {
      const before = await baseline.read(path(name));
      return before?.kind === 'file' ? Buffer.from(before.bytes).toString() : before;
    };
    const changed = async () => (await baseline.changed()).map((one) => one.slice(home.length + 1)).sort();
    return { baseline, text, changed };
  };
  return { path, write, git, repository, take };
}

const absent = { kind: 'absent' };

test('a nested repository has its own baseline, tracked or not', async (t) => {
  const { path, write, git, repository, take } = await place(t);
  await repository('library', { 'l.txt': 'library' });
  await repository('project', { 'a.txt': 'a', '.gitignore': 'vendor/\n' });
  await repository('project/nested', { 'n.txt': 'n', 'gone.txt': 'gone' });
  await repository('project/vendor/deep', { 'v.txt': 'v' });
  git('project', 'submodule', '--quiet', 'add', path('library'), 'module');
  git('project', 'commit', '-qm', 'two');
  git('project', 'worktree', 'add', '-q', path('project/.trees/other'));
  await write('project/nested/own.txt', 'untracked');
  const { text, changed } = await take('project');
  assert.deepEqual(await changed(), []);
  const files = ['nested/n.txt', 'module/l.txt', 'vendor/deep/v.txt', '.trees/other/a.txt', 'nested/own.txt'];
  for (const name of files) await write(join('project', name), 'by the agent');
  await rm(path('project/nested/gone.txt'));
  await write('project/nested/new.txt', 'new');
  assert.equal(await text('project/nested/n.txt'), 'n');
  assert.equal(await text('project/nested/gone.txt'), 'gone');
  assert.equal(await text('project/nested/own.txt'), 'untracked');
  assert.equal(await text('project/module/l.txt'), 'library');
  assert.equal(await text('project/vendor/deep/v.txt'), 'v');
  assert.equal(await text('project/.trees/other/a.txt'), 'a');
  assert.deepEqual(await text('project/nested/new.txt'), absent);
  const found = await changed();
  for (const name of [...files, 'nested/gone.txt', 'nested/new.txt'])
    assert.ok(found.includes(join('project', name)), name);
});

test("reads a submodule's files after its folder is deleted", async (t) => {
  const { path, git, repository, take } = await place(t);
  await repository('library', { 'l.txt': 'library' });
  await repository('project', { 'a.txt': 'a' });
  git('project', 'submodule', '--quiet', 'add', path('library'), 'module');
  git('project', 'commit', '-qm', 'two');
  const { text } = await take('project');
  await rm(path('project/module'), { recursive: true });
  assert.equal(await text('project/module/l.txt'), 'library');
});

test('lists a repository created in a turn as new files', async (t) => {
  const { repository, take } = await place(t);
  await repository('project', { 'a.txt': 'a' });
  const { text, changed } = await take('project');
  await repository('project/cloned', { 'c.txt': 'c', 'd/e.txt': 'e' });
  assert.deepEqual(await changed(), ['project/cloned/c.txt', 'project/cloned/d/e.txt']);
  assert.deepEqual(await text('project/cloned/c.txt'), absent);
});

test('reports a deleted repository as one change', async (t) => {
  const { path, repository, take } = await place(t);
  await repository('project', { 'a.txt': 'a' });
  await repository('project/nested', { 'n.txt': 'n' });
  const { text, changed } = await take('project');
  await rm(path('project/nested'), { recursive: true });
  assert.deepEqual(await changed(), ['project/nested']);
  assert.deepEqual(await text('project/nested'), {
    kind: 'skipped',
    reason: 'budget',
    within: path('project/nested'),
  });
});

test('repositories inside a plain folder have their own baselines', async (t) => {
  const { write, repository, take } = await place(t);
  await write('all/readme.txt', 'r');
  await repository('all/one', { 'a.txt': 'a' });
  await repository('all/one/deep', { 'd.txt': 'd' });
  const { text, changed } = await take('all');
  await write('all/one/deep/d.txt', 'by the agent');
  await write('all/one/a.txt', 'by the agent');
  await write('all/readme.txt', 'by the agent');
  assert.deepEqual(await changed(), ['all/one/a.txt', 'all/one/deep/d.txt', 'all/readme.txt']);
  assert.equal(await text('all/one/deep/d.txt'), 'd');
  assert.equal(await text('all/one/a.txt'), 'a');
});

test('records a project ignored by its outer repository as a folder', async (t) => {
  const { write, repository, take } = await place(t);
  await repository('dots', { '.profile': 'p' });
  await write('dots/.gitignore', '*\n');
  await write('dots/project/a.txt', 'a');
  const { text, changed } = await take('dots/project');
  await write('dots/project/a.txt', 'by the agent');
  await write('dots/project/b.txt', 'new');
  assert.equal(await text('dots/project/a.txt'), 'a');
  assert.deepEqual(await changed(), ['dots/project/a.txt', 'dots/project/b.txt']);
});

test('records small ignored files with permissions and reports changes of others', posixOnly, async (t) => {
  const { path, write, repository, take } = await place(t);
  await repository('project', { '.gitignore': '.env*\n*.log\ndist/\n' });
  await write('project/.env', 'SECRET=1');
  await chmod(path('project/.env'), 0o600);
  await write('project/huge.log', 'x'.repeat(5_500_000));
  await write('project/dist/a/b.js', 'built');
  const { baseline, text, changed } = await take('project');
  await write('project/.env', 'SECRET=2 by the agent');
  await write('project/huge.log', 'cut');
  await write('project/new.log', 'new');
  await write('project/dist/a/c.js', 'built');
  const env = await baseline.read(path('project/.env'));
  assert.equal(env?.kind === 'file' && env.mode, 0o600);
  assert.equal(await text('project/.env'), 'SECRET=1');
  assert.deepEqual(await text('project/new.log'), absent);
  assert.deepEqual(await text('project/huge.log'), { kind: 'skipped', reason: 'large' });
  const within = path('project/dist');
  assert.deepEqual(await text('project/dist/a/b.js'), { kind: 'skipped', reason: 'ignored', within });
  assert.deepEqual(await changed(), ['project/.env', 'project/dist', 'project/huge.log', 'project/new.log']);
});

test('records generated folders outside a repository unless they are large', async (t) => {
  const { path, write, take } = await place(t);
  await write('project/build/script.js', 'mine');
  for (let at = 0; at < 501; at++) await write(`project/dist/${at}.js`, 'built');
  const { text, changed } = await take('project');
  await write('project/build/script.js', 'by the agent');
  await write('project/dist/0.js', 'by the agent');
  assert.equal(await text('project/build/script.js'), 'mine');
  assert.deepEqual(await text('project/dist/0.js'), {
    kind: 'skipped',
    reason: 'ignored',
    within: path('project/dist'),
  });
  assert.deepEqual(await changed(), ['project/build/script.js', 'project/dist']);
});

test('records links by their targets', posixOnly, async (t) => {
  for (const isRepository of [true, false]) {
    const { path, write, git, repository, take } = await place(t);
    await write('project/a.txt', 'a');
    const links = ['same', 'retargeted', 'deleted', 'replaced'];
    for (const name of links) await symlink('a.txt', path(`project/${name}`));
    await write('project/file', 'becomes a link');
    if (isRepository) {
      await repository('project', {});
      git('project', 'status');
    }
    const { text, changed } = await take('project');
    for (const name of links.slice(1)) await rm(path(`project/${name}`));
    await symlink('elsewhere', path('project/retargeted'));
    await write('project/replaced', 'a file');
    await symlink('a.txt', path('project/created'));
    await rm(path('project/file'));
    await symlink('a.txt', path('project/file'));
    assert.equal(await readlink(path('project/same')), 'a.txt');
    for (const name of links) assert.deepEqual(await text(`project/${name}`), { kind: 'link', target: 'a.txt' }, name);
    assert.deepEqual(await text('project/created'), absent);
    const names = ['created', 'deleted', 'file', 'replaced', 'retargeted'];
    assert.deepEqual(
      await changed(),
      names.map((name) => `project/${name}`),
    );
  }
});

test('reads files with unusual names from git', posixOnly, async (t) => {
  const { write, repository, take } = await place(t);
  const names = ['two\nlines', 'back\\slash', 'tab\t', 'quote"'];
  await repository('project', Object.fromEntries(names.map((name) => [name, `in ${name}`])));
  const { text, changed } = await take('project');
  for (const name of names) await write(`project/${name}`, 'by the agent');
  for (const name of names) assert.equal(await text(`project/${name}`), `in ${name}`);
  assert.deepEqual(await changed(), names.map((name) => `project/${name}`).sort());
});

test('reports created and deleted empty folders if creation times are available', async (t) => {
  for (const isRepository of [true, false]) {
    const { path, write, repository, take } = await place(t);
    await write('project/a.txt', 'a');
    if (isRepository) await repository('project', {});
    for (const name of ['kept', 'removed', 'deep/er']) await mkdir(path(`project/${name}`), { recursive: true });
    const { baseline, text, changed } = await take('project');
    const isBorn = (await lstat(path('project/kept'))).birthtimeMs > 0;
    await rm(path('project/removed'), { recursive: true });
    await rm(path('project/deep'), { recursive: true });
    await mkdir(path('project/made'));
    assert.deepEqual(await text('project/removed'), { kind: 'folder' });
    const found = await changed();
    assert.deepEqual(
      found.filter((name) => name !== 'project/kept'),
      ['project/deep/er', ...(isBorn ? ['project/made'] : []), 'project/removed'],
    );
    baseline.dispose();
  }
});

test("records a repository's hooks and configuration, but ignores branch sections", async (t) => {
  const { path, write, git, repository, take } = await place(t);
  await repository('project', { 'a.txt': 'a' });
  const { text, changed } = await take('project');
  git('project', 'branch', '-q', 'other');
  git('project', 'config', 'branch.other.merge', 'refs/heads/main');
  assert.deepEqual(await changed(), []);
  await write('project/.git/hooks/pre-commit', '#!/bin/sh\n');
  git('project', 'config', 'core.hooksPath', '/tmp');
  assert.deepEqual(await changed(), ['project/.git/config', 'project/.git/hooks/pre-commit']);
  assert.deepEqual(await text('project/.git/hooks/pre-commit'), absent);
  const config = await text('project/.git/config');
  assert.ok(typeof config === 'string' && config.includes('[core]'));
  assert.equal((await lstat(path('project/.git/config'))).isFile(), true);
});

test("records a submodule's hooks and configuration where git stores them", async (t) => {
  const { write, git, repository, take } = await place(t);
  await repository('project', { 'a.txt': 'a' });
  await repository('library', { 'b.txt': 'b' });
  git('project', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'parts/library');
  const { text, changed } = await take('project');
  assert.deepEqual(await changed(), []);
  const folder = 'project/.git/modules/parts/library';
  await write(`${folder}/hooks/post-checkout`, '#!/bin/sh\n');
  await write(`${folder}/config`, '[core]\n\thooksPath = /tmp\n');
  assert.deepEqual(await changed(), [`${folder}/config`, `${folder}/hooks/post-checkout`]);
  assert.deepEqual(await text(`${folder}/hooks/post-checkout`), absent);
  const config = await text(`${folder}/config`);
  assert.ok(typeof config === 'string' && !config.includes('hooksPath'));
});

test('distinguishes 2,000 new files from ignored ones without many processes', async (t) => {
  const { baseline, path, write } = await (async () => {
    const found = await place(t);
    await found.repository('project', { '.gitignore': 'dist/\n' });
    return { ...found, ...(await found.take('project')) };
  })();
  const names = Array.from({ length: 2000 }, (_, at) => `project/new${at % 40}/f${at}.ts`);
  for (const name of names) await write(name, name);
  // Each git process leaves a file there.
  const traces = path('traces');
  await mkdir(traces);
  process.env['GIT_TRACE2_EVENT'] = traces;
  t.after(() => delete process.env['GIT_TRACE2_EVENT']);
  const read = await Promise.all(names.map((name) => baseline.read(path(name))));
  assert.ok(read.every((before) => before?.kind === 'absent'));
  const processes = await readdir(traces);
  assert.ok(processes.length > 0 && processes.length < 200, `${processes.length} processes`);
  assert.equal((await baseline.changed()).length, 2000);
});

test('records many nested repositories, ten at a time', async (t) => {
  const { path } = await place(t);
  const names = Array.from({ length: 120 }, (_, at) => path(`project/r${at}`));
  for (const name of names) await mkdir(join(name, '.git'), { recursive: true });
  let running = 0;
  let most = 0;
  const takeRepository: typeof gitBaseline = async (folder) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    const read = () => Promise.resolve({ kind: 'link', target: folder } as const);
    const nothing = { nested: [], unprotected: [], whole: Promise.resolve() };
    return {
      ...nothing,
      folder,
      read,
      changed: () => Promise.resolve([]),
      hadFolder: () => true,
      changedSince: () => [],
      dispose: () => {},
    };
  };
  const recorder = new Recorder(new BlobStore(path('blobs')), defaultLimits, () => Date.now());
  const baseline = await WorkspaceBaseline.take([path('project')], recorder, ignored, defaultLimits, takeRepository);
  for (const target of names) assert.deepEqual(await baseline.read(join(target, 'a.txt')), { kind: 'link', target });
  assert.equal(most, 10);
});
