// Baselines that take so long that the agent has begun, or that git can't take at all.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { needsGit } from '../../test/unit-support/platform';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { BlobStore } from './blobStore';
import { defaultLimits, type BaselineLimits } from './baseline';
import type { gitBaseline } from './gitBaseline';
import { Recorder } from './recorder';
import { WorkspaceBaseline } from './workspaceBaseline';

const ignored = { names: new Set(['node_modules']), globs: [] };
const old = new Date('2020-01-01');
/** How long git is asked before it's given up, in milliseconds. */
const waitedMs = 20_000;

/** A folder, files in it from long ago, and a clock that the test sets. */
function place(t: TestContext, limits: BaselineLimits = defaultLimits) {
  const root = tempFolder(t);
  const clock = { ahead: 0 };
  const recorder = new Recorder(new BlobStore(join(root, 'blobs')), limits, () => Date.now() + clock.ahead);
  const path = (name: string) => join(root, 'home', name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  const writeOld = (name: string) => {
    write(name, `old ${name}`);
    utimesSync(path(name), old, old);
  };
  const repository = (name: string, files: readonly string[]) => {
    for (const file of files) writeOld(`${name}/${file}`);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', path(name), '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
  };
  const take = async (folders: readonly string[], takeRepository?: typeof gitBaseline) => {
    const baseline = await WorkspaceBaseline.take(folders.map(path), recorder, ignored, limits, takeRepository);
    t.after(() => baseline.dispose());
    await baseline.whole;
    const changed = async () => (await baseline.changed()).map((one) => one.slice(path('').length + 1)).sort();
    return { baseline, changed };
  };
  return { path, write, writeOld, repository, clock, take };
}

test('lists what an agent wrote while git was asked in vain', needsGit, async (t) => {
  // More files than are recorded before the agent begins, in two repositories.
  const { path, write, repository, clock, take } = place(t, { ...defaultLimits, files: 6, newFiles: 2 });
  repository('one', ['a', 'b', 'c', 'd', 'e', 'f']);
  repository('two', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  const startedAt = Date.now();
  const { baseline, changed } = await take(['one', 'two'], (top) => {
    const name = top.endsWith('one') ? 'one' : 'two';
    write(`${name}/d`, 'by the agent');
    write(`${name}/new`, 'by the agent');
    clock.ahead = waitedMs;
    return Promise.resolve(undefined);
  });
  // Those that were recorded are known by their time.
  const listed = new Set([
    ...(await changed()),
    ...baseline.changedSince(startedAt - 50).map((one) => one.slice(path('').length + 1)),
  ]);
  for (const name of ['one/d', 'one/new', 'two/d', 'two/new']) assert.ok(listed.has(name), name);
  assert.equal(listed.has('one/a'), false);
});

test('a nested repository that git can’t read is recorded by file', needsGit, async (t) => {
  const { path, write, writeOld, repository, take } = place(t);
  writeOld('a');
  repository('nested', ['n', 'm']);
  const { baseline, changed } = await take([''], () => Promise.resolve(undefined));
  write('nested/n', 'by the agent');
  write('nested/new', 'by the agent');
  assert.deepEqual(await changed(), ['nested/n', 'nested/new']);
  const before = await baseline.read(path('nested/n'));
  assert.equal(before?.kind === 'file' && Buffer.from(before.bytes).toString(), 'old nested/n');
});

test('new files are listed also if git fails after the turn', needsGit, async (t) => {
  const { path, write, writeOld, repository, take } = place(t);
  repository('one', ['a', 'b', '.gitignore']);
  write('one/.gitignore', 'ignored/\n');
  writeOld('one/mine');
  for (let at = 0; at < 400; at++) writeOld(`one/ignored/${at}`);
  repository('one/nested', ['n']);
  const { changed } = await take(['one']);
  write('one/a', 'by the agent');
  write('one/new', 'by the agent');
  write('one/folder/new', 'by the agent');
  rmSync(path('one/b'));
  // Git can't read it any longer, as if it took too long.
  writeFileSync(path('one/.git/index'), 'broken');
  const found = (await changed()).filter((one) => !one.startsWith('one/.git/'));
  assert.deepEqual(found, ['one/a', 'one/b', 'one/folder/new', 'one/new']);
});
