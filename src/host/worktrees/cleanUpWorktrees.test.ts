import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { workInWorktree } from '../../../test/unit-support/fixWorktree';
import { needsGit } from '../../../test/unit-support/platform';
import { editor, window } from '../../../test/unit-support/vscode';
import { forgetWorktrees } from '../../worktree/made/worktreeOf';
import { cleanUpWorktrees } from './cleanUpWorktrees';

type Needs = Parameters<typeof cleanUpWorktrees>[0];

interface Row {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** A repository with a worktree that has a commit and an uncommitted file. All listed worktrees are selected. */
async function start(t: TestContext) {
  const { repository, path } = await workInWorktree(t);
  const lists: (readonly Row[])[] = [];
  t.mock.method(
    window as unknown as Record<'showQuickPick', (rows: readonly Row[]) => Promise<readonly Row[]>>,
    'showQuickPick',
    (rows: readonly Row[]) => {
      lists.push(rows);
      return Promise.resolve(rows);
    },
  );
  const cleanUp = (...used: readonly string[]) => {
    const sessions = used.map((cwd) => ({ transcript: { view: { cwd } } }));
    return cleanUpWorktrees({ pool: { sessions } } as unknown as Needs);
  };
  return { repository, path, lists, cleanUp };
}

const lastMessage = () => editor.shown.at(-1)?.message;

test('lists worktrees with size, age, and what would be lost', needsGit, async (t) => {
  const { repository, path, lists, cleanUp } = await start(t);
  await cleanUp();
  const [row] = lists.flat();
  assert.equal(row?.label, 'fix');
  assert.match(row.description, /^parley\/fix · made \d+ days ago · \d+ B$/);
  assert.equal(row.detail, '1 uncommitted file: new.txt · 1 commit that no other branch has');
  assert.match(JSON.stringify(editor.shown.at(-1)?.items), /With the folder: 1 uncommitted file/);
  assert.ok(repository.has('new.txt', path), 'Nothing is removed without an answer.');
});

test('lists no worktree that a session or the window uses', needsGit, async (t) => {
  const { repository, path, lists, cleanUp } = await start(t);
  await cleanUp(path);
  editor.folders = [repository.folder, path];
  await cleanUp();
  assert.deepEqual(lists, []);
  assert.equal(lastMessage(), 'Parley has no worktrees here that no open session uses.');
});

test('keeps branches, or removes them, as the user answers', needsGit, async (t) => {
  for (const [answer, branches] of [
    ['Remove and Keep Branches', '  parley/fix'],
    ['Remove with Branches', ''],
  ] as const) {
    const { repository, path, cleanUp } = await start(t);
    editor.answers.push(answer);
    await cleanUp();
    assert.equal(lastMessage(), 'Removed 1 worktree.');
    assert.ok(!repository.has('', path));
    assert.equal(repository.git('branch', '--list', 'parley/*').trimEnd(), branches);
    t.mock.reset();
  }
});

test('commits what isn’t committed, and lists the branch afterward', needsGit, async (t) => {
  const { repository, path, lists, cleanUp } = await start(t);
  editor.answers.push('Commit and Remove');
  await cleanUp();
  assert.ok(!repository.has('', path));
  assert.equal(repository.git('show', 'parley/fix:new.txt'), 'new');
  await cleanUp();
  assert.match(lists.at(-1)?.[0]?.description ?? '', /saved on its branch$/);
});

test('says where the repositories are that were inside', needsGit, async (t) => {
  const { repository, path, lists, cleanUp } = await start(t);
  repository.gitIn(path, 'init', '--quiet', 'web');
  editor.answers.push('Commit and Remove');
  await cleanUp();
  assert.match(lists.flat()[0]?.detail ?? '', / · Repositories inside it, with their files and commits: web · /);
  assert.match(lastMessage() ?? '', /^Removed 1 worktree\. The repositories that were inside it are in .*kept.*: web$/);
  await cleanUp();
  assert.match(JSON.stringify(editor.shown.at(-1)?.items), /repositories that were inside it are in/);
});

test('doesn’t list a worktree that Parley doesn’t remember', needsGit, async (t) => {
  const { repository, path, lists, cleanUp } = await start(t);
  const notes = join(repository.folder, '.git', 'parley', 'worktrees');
  const [name = ''] = readdirSync(notes);
  renameSync(join(notes, name), join(notes, `${randomUUID()}.json`));
  forgetWorktrees();
  await cleanUp();
  assert.deepEqual(lists, []);
  assert.ok(repository.has('new.txt', path));
});
