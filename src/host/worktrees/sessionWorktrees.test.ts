import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'node:test';
import { fixWorktree } from '../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { SessionKey } from '../../shared/values/ids';
import { isWorktreeEnd } from '../sessions/end/worktreeEnd';
import { SessionWorktrees } from './sessionWorktrees';

beforeEach(() => editor.reset());

const key = 's1' as SessionKey;

/** A closed session whose worktree has a file that isn't committed. */
async function closed(t: TestContext, others: readonly string[] = []) {
  const repository = new GitRepository(t);
  repository.write('a.txt', 'one\n');
  repository.commit();
  editor.folders = [repository.folder];
  const { path } = (await fixWorktree(repository)).record;
  repository.write('new.txt', 'new\n', path);
  const stored = [key as string, ...others].map((one) => ({ key: one, cwd: path, isArchived: false }));
  const worktrees = new SessionWorktrees(
    { sessions: [] } as unknown as AgentPool,
    { stored } as unknown as ConstructorParameters<typeof SessionWorktrees>[1],
  );
  return { repository, path, worktrees, stored };
}

/** Ends the worktree of the deleted session as a window does that comes after a reload. */
async function remove(worktrees: SessionWorktrees): Promise<void> {
  const ends: unknown = JSON.parse(JSON.stringify(await worktrees.beforeEnd([key], 'delete')));
  assert.ok(Array.isArray(ends) && ends.every(isWorktreeEnd));
  await worktrees.end(ends, [key]);
}

test('saves an archived session’s worktree and brings it back', needsGit, async (t) => {
  const { repository, path, worktrees } = await closed(t);
  editor.answers.push('Commit and Remove');
  const ends = await worktrees.beforeEnd([key], 'archive');
  assert.ok(ends);
  assert.ok(repository.has('new.txt', path), 'nothing happens before the session has ended');
  await worktrees.end(ends, [key]);
  assert.ok(!repository.has('', path));
  await worktrees.bringBack(path);
  assert.equal(repository.read('new.txt', path), 'new\n');
});

test('removes a deleted session’s worktree only if the user chooses so', needsGit, async (t) => {
  const { repository, path, worktrees } = await closed(t);
  assert.equal(await worktrees.beforeEnd([key], 'delete'), undefined);
  editor.answers.push('Keep Worktree');
  await remove(worktrees);
  assert.ok(repository.has('new.txt', path));
  editor.answers.push('Remove with Branch');
  await remove(worktrees);
  assert.ok(!repository.has('', path));
  assert.equal(repository.git('branch', '--list', 'parley/*'), '');
});

test('asks nothing while another session works in the worktree', needsGit, async (t) => {
  const { repository, path, worktrees } = await closed(t, ['s2']);
  await remove(worktrees);
  assert.equal(editor.shown.length, 0);
  assert.ok(repository.has('new.txt', path));
});

test('keeps a worktree in which another session was begun', needsGit, async (t) => {
  const { repository, path, worktrees, stored } = await closed(t);
  editor.answers.push('Remove with Branch');
  const ends = await worktrees.beforeEnd([key], 'delete');
  assert.equal(ends?.length, 1);
  stored.push({ key: 's2', cwd: path, isArchived: false });
  await worktrees.end(ends, [key]);
  assert.ok(repository.has('new.txt', path));
});

test('keeps a worktree that has more than the user has seen', needsGit, async (t) => {
  const { repository, path, worktrees } = await closed(t);
  editor.answers.push('Remove with Branch');
  const ends = await worktrees.beforeEnd([key], 'delete');
  repository.write('later.txt', 'later', path);
  await worktrees.end(ends ?? [], [key]);
  assert.match(editor.shown.at(-1)?.message ?? '', /has changed in the meantime/);
  assert.equal(repository.read('later.txt', path), 'later');
});
