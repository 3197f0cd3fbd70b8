// Worktrees that come into being while an agent is at work: Git writes their files, not the agent.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { needsGit } from '../../test/unit-support/platform';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { BlobStore } from './blobStore';
import { defaultLimits } from './baseline';
import { Recorder } from './recorder';
import { WorkspaceBaseline } from './workspaceBaseline';

/** A repository whose files have these texts, and its baseline. */
async function place(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = tempFolder(t);
  const top = join(root, 'project');
  const path = (name: string) => join(top, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', top, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  const recorder = new Recorder(new BlobStore(join(root, 'blobs')), defaultLimits, () => Date.now());
  const ignored = { names: new Set<string>(), globs: [] };
  const take = async () => {
    const baseline = await WorkspaceBaseline.take([top], recorder, ignored, defaultLimits);
    t.after(() => baseline.dispose());
    const changed = async () => (await baseline.changed()).map((one) => one.slice(top.length + 1)).sort();
    const before = async (name: string) => {
      const found = await baseline.read(path(name));
      return found?.kind === 'file' ? Buffer.from(found.bytes).toString() : found?.kind;
    };
    return { changed, before };
  };
  return { path, write, git, take };
}

const files = { 'a.txt': 'a\n', 'folder/b.txt': 'b\n', 'with space.txt': 'c\n', '.gitignore': '.worktrees/\n' };

test('a worktree that is made in a turn isn’t its change', needsGit, async (t) => {
  for (const isKnown of [false, true]) {
    const { path, git, take } = await place(t, files);
    if (isKnown) git('worktree', 'add', '-q', path('.worktrees/mine'));
    const { changed, before } = await take();
    git('worktree', 'add', '-q', path('trees/one'));
    git('worktree', 'add', '-q', path('.worktrees/two'));
    assert.deepEqual(await changed(), []);
    for (const name of ['a.txt', 'folder/b.txt', 'with space.txt']) {
      for (const tree of ['trees/one', '.worktrees/two']) {
        assert.equal(await before(`${tree}/${name}`), readFileSync(path(name), 'utf8'));
      }
    }
    git('worktree', 'remove', path('trees/one'));
    assert.deepEqual(await changed(), ['trees']);
    assert.equal(await before('trees/one/a.txt'), 'absent');
  }
});

test('what an agent changes in a worktree that it made is listed', needsGit, async (t) => {
  const { path, write, git, take } = await place(t, files);
  const { changed, before } = await take();
  for (const tree of ['trees/one', '.worktrees/two']) {
    git('worktree', 'add', '-q', path(tree));
    write(`${tree}/a.txt`, 'by the agent\n');
    write(`${tree}/new.txt`, 'by the agent\n');
    rmSync(path(`${tree}/folder/b.txt`));
  }
  const expected = ['.worktrees/two', 'trees/one'].flatMap((tree) =>
    ['a.txt', 'folder/b.txt', 'new.txt'].map((name) => `${tree}/${name}`),
  );
  assert.deepEqual(await changed(), expected);
  assert.equal(await before('trees/one/a.txt'), 'a\n');
  assert.equal(await before('trees/one/new.txt'), 'absent');
  assert.equal(await before('trees/one/folder/b.txt'), 'b\n');
  // A commit there takes nothing out of the list.
  git('-C', path('trees/one'), 'add', '-A');
  git('-C', path('trees/one'), 'commit', '-qm', 'by the agent');
  assert.deepEqual(await changed(), expected);
  assert.equal(await before('trees/one/a.txt'), 'a\n');
});

test('Git’s own conversion in a new worktree isn’t a change', needsGit, async (t) => {
  const { path, git, take } = await place(t, { ...files, '.gitattributes': 'a.txt text eol=crlf\n' });
  const { changed, before } = await take();
  git('worktree', 'add', '-q', path('trees/one'));
  assert.deepEqual(await changed(), []);
  assert.equal(readFileSync(path('trees/one/a.txt'), 'utf8'), 'a\r\n');
  assert.equal(await before('trees/one/a.txt'), 'a\r\n');
});

test('a folder that only claims to be a worktree is listed', needsGit, async (t) => {
  const { path, write, take } = await place(t, files);
  const { changed, before } = await take();
  write('folder/.git', `gitdir: ${path('.git')}\n`);
  write('folder/b.txt', 'by the agent\n');
  write('folder/new.txt', 'by the agent\n');
  assert.deepEqual(
    (await changed()).filter((name) => !name.endsWith('.git')),
    ['folder/b.txt', 'folder/new.txt'],
  );
  assert.equal(await before('folder/b.txt'), 'b\n');
  assert.equal(await before('folder/new.txt'), 'absent');
});
