import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Branches } from './branches';

const top = mkdtempSync(join(tmpdir(), 'parley-branches-'));
after(() => rmSync(top, { recursive: true, force: true }));

/** Writes `HEAD` as git does: a new file in its place. */
function setHead(gitFolder: string, text: string): void {
  mkdirSync(gitFolder, { recursive: true });
  writeFileSync(join(gitFolder, 'HEAD.lock'), text);
  renameSync(join(gitFolder, 'HEAD.lock'), join(gitFolder, 'HEAD'));
}

test('the branch of a folder is that of the repository around it', () => {
  const folder = join(top, 'one', 'src', 'deep');
  mkdirSync(folder, { recursive: true });
  setHead(join(top, 'one', '.git'), 'ref: refs/heads/feat/retry\n');
  const branches = new Branches();
  assert.deepEqual(branches.of(folder), { branch: 'feat/retry', isWorktree: false });
  branches.dispose();
});

test('a switch to another branch is noticed', async (t) => {
  // A watcher alone doesn't keep the process running.
  const running = setInterval(() => undefined, 1000);
  t.after(() => clearInterval(running));
  const folder = join(top, 'two');
  setHead(join(folder, '.git'), 'ref: refs/heads/main\n');
  const branches = new Branches();
  assert.equal(branches.of(folder)?.branch, 'main');
  const changed = new Promise<void>((resolve) => branches.onDidChange(resolve));
  setHead(join(folder, '.git'), 'ref: refs/heads/topic\n');
  await changed;
  assert.equal(branches.of(folder)?.branch, 'topic');
  branches.dispose();
});

test('a worktree has its own branch', () => {
  const folder = join(top, 'three-tree');
  const gitFolder = join(top, 'three', '.git', 'worktrees', 'three-tree');
  setHead(gitFolder, 'ref: refs/heads/side\n');
  mkdirSync(folder);
  writeFileSync(join(folder, '.git'), `gitdir: ${gitFolder}\n`);
  const branches = new Branches();
  assert.deepEqual(branches.of(folder), { branch: 'side', isWorktree: true });
  branches.dispose();
});

test('a worktree that comes back has its branch again', () => {
  const folder = join(top, 'again');
  const gitFolder = join(top, 'main', '.git', 'worktrees', 'again');
  mkdirSync(folder);
  writeFileSync(join(folder, '.git'), `gitdir: ${gitFolder}\n`);
  const branches = new Branches();
  // Git has removed its own folder, and the worktree is still there.
  assert.equal(branches.of(folder), undefined);
  setHead(gitFolder, 'ref: refs/heads/next\n');
  assert.deepEqual(branches.of(folder), { branch: 'next', isWorktree: true });
  branches.dispose();
});

test('without a branch, the commit is shown', () => {
  const folder = join(top, 'four');
  setHead(join(folder, '.git'), 'dc8df3a2dc8df3a2dc8df3a2dc8df3a2dc8df3a2\n');
  const branches = new Branches();
  assert.equal(branches.of(folder)?.branch, 'dc8df3a');
  branches.dispose();
});

test('a folder becomes a repository later', () => {
  const folder = join(top, 'five');
  mkdirSync(folder);
  let now = 0;
  const branches = new Branches(() => now);
  assert.equal(branches.of(folder), undefined);
  setHead(join(folder, '.git'), 'ref: refs/heads/main\n');
  now = 6000;
  assert.equal(branches.of(folder)?.branch, 'main');
  branches.dispose();
});

test('a worktree is found at a place that was asked about before', () => {
  const folder = join(top, 'five.worktrees', 'fix');
  const gitFolder = join(top, 'five', '.git', 'worktrees', 'fix');
  const branches = new Branches(() => 0);
  assert.equal(branches.of(folder), undefined);
  setHead(gitFolder, 'ref: refs/heads/parley/fix\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.git'), `gitdir: ${gitFolder}\n`);
  assert.deepEqual(branches.of(folder), { branch: 'parley/fix', isWorktree: true });
  branches.dispose();
});
