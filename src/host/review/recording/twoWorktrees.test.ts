// Two agents at once in two working trees: whose changes are whose, with real git and files.
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Bringing } from '../../../../test/unit-support/bringing';
import { needsGit } from '../../../../test/unit-support/platform';
import { editor, Uri } from '../../../../test/unit-support/vscode';
import { removeWorktree } from '../../../worktree/end/endWorktree';
import { ownWorktrees } from '../../../worktree/made/worktreeList';
import { lossOf } from '../../../worktree/end/worktreeLoss';

/** An agent at work in a worktree, and one in the workspace. */
async function bothAtWork(t: TestContext) {
  const one = await Bringing.start(t, { 'a.txt': 'a\n' });
  const { window, session: there } = one;
  there.transcript.view['cwd'] = one.there;
  const here = window.session('Here');
  // Whoever began last would get what belongs to nobody else.
  await window.begin(there);
  await window.begin(here);
  return { one, window, there, here };
}

test('a change in a worktree is its session’s, also after the turn', needsGit, async (t) => {
  const { one, window, there, here } = await bothAtWork(t);
  one.agent('a.txt', 'there\n');
  one.repository.write('a.txt', 'here\n');
  await window.end(there);
  await window.end(here);
  assert.deepEqual(
    window.listed(there).map(({ status }) => status),
    ['modified'],
  );
  const authors = window.review.log.uris.map((uri) => [
    uri.includes('.worktrees/'),
    window.review.log.counts(uri).authors.map((author) => author.kind === 'agent' && author.agentName),
  ]);
  assert.deepEqual(authors.sort(), [
    [false, ['Here']],
    [true, ['Fixer']],
  ]);
});

test('a file renamed over another one leaves no removed file', needsGit, async (t) => {
  const { one, window, there, here } = await bothAtWork(t);
  const look = (folder: string, name: string) => window.review.disk.look(Uri.file(join(folder, name)));
  const replace = (folder: string) => {
    one.repository.write('a.txt.part', 'new\n', folder);
    renameSync(join(folder, 'a.txt.part'), join(folder, 'a.txt'));
  };
  for (const folder of [one.there, one.repository.folder]) {
    replace(folder);
    await look(folder, 'a.txt.part');
  }
  await window.end(there);
  // The editor may also report it after the turn, while another one is running.
  one.repository.write('b.txt.part', '', one.there);
  rmSync(join(one.there, 'b.txt.part'));
  await look(one.there, 'b.txt.part');
  await window.end(here);
  const listed = [there, here].map((session) => window.listed(session).map(({ path, status }) => `${status} ${path}`));
  assert.deepEqual(listed, [['modified worktrees/fix/a.txt'], ['modified a.txt']]);
});

test('what appears in another session’s worktree isn’t the running agent’s', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n' });
  const { window } = one;
  const here = window.session('Here');
  await window.begin(here);
  // Git writes the files of a new worktree, and a file is looked at because the agent there reads it.
  one.agent('new.txt', 'new\n');
  await window.review.disk.look(Uri.file(join(one.there, 'new.txt')));
  assert.deepEqual(window.review.log.pending, []);
  // A file that the agent's calls refer to is its own, wherever it is.
  here.names(join(one.there, 'new.txt'), 'completed');
  await window.end(here);
  assert.equal(window.review.log.pending.length, 1);
});

/** Resolves once nothing waits for review. */
function nothingWaits({ review }: Bringing['window']): Promise<void> {
  return new Promise((resolve) => {
    review.log.onDidChange(() => {
      if (review.log.pending.length === 0) resolve();
    });
  });
}

test('a removed worktree has nothing left to review', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const { window, session, worktree } = one;
  session.transcript.view['cwd'] = one.there;
  await window.begin(session);
  one.agent('a.txt', 'new\n');
  rmSync(join(one.there, 'b.txt'));
  one.agent('c.txt', 'more\n');
  await window.end(session);
  assert.equal(window.review.log.pending.length, 3);
  // Another agent at work has removed none of it.
  await window.begin(window.session('Here'));
  const listed = (await ownWorktrees(worktree.common))[0]?.listed;
  assert.ok(listed);
  const done = nothingWaits(window);
  const { common, record } = worktree;
  await removeWorktree(common, record, await lossOf({ record, listed }), true);
  await done;
});

test('files of a folder that the user removes leave the review', needsGit, async (t) => {
  const { window, session, repository } = await Bringing.start(t, { 'src/a.txt': 'a\n' });
  await window.begin(session);
  repository.write('src/a.txt', 'new\n');
  repository.write('src/b.txt', 'more\n');
  await window.end(session);
  assert.equal(window.review.log.pending.length, 2);
  // Nobody is at work any longer.
  while (window.review.turns.current.length > 0) {
    await new Promise<void>((resolve) => window.review.turns.onDidChange(resolve));
  }
  rmSync(join(repository.folder, 'src'), { recursive: true });
  const done = nothingWaits(window);
  editor.fire('watcher.delete', Uri.file(join(repository.folder, 'src')));
  await done;
});

test('what changes in a session’s folder isn’t another session’s change', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const { window, session: there } = one;
  there.transcript.view['cwd'] = one.there;
  // The turn here knows the folder there.
  editor.folders = [one.repository.folder, one.there];
  const here = window.session('Here');
  await window.begin(here);
  const touched: string[] = [];
  window.review.onDidTouch(({ uri }) => touched.push(uri.path));
  // Such as by the command that sets it up.
  one.agent('a.txt', 'there\n');
  one.agent('new.txt', 'there\n');
  rmSync(join(one.there, 'b.txt'));
  for (const name of ['a.txt', 'new.txt', 'b.txt']) await window.review.disk.look(Uri.file(join(one.there, name)));
  one.repository.write('a.txt', 'here\n');
  await window.end(here);
  assert.deepEqual(touched, [join(one.repository.folder, 'a.txt')]);
  assert.deepEqual(
    window.listed(here).map(({ path }) => path),
    ['a.txt'],
  );
});

test('lists an agent’s work in a worktree that it made', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const { window, repository } = one;
  const here = window.session('Here');
  await window.begin(here);
  repository.git('worktree', 'add', '--quiet', join(repository.folder, 'trees/own'));
  // The editor reports each file that Git writes, and its folders.
  for (const name of ['', '/own', '/own/a.txt', '/own/b.txt']) await window.look(`trees${name}`);
  assert.deepEqual(window.review.log.pending, []);
  repository.write('trees/own/a.txt', 'of the agent\n');
  repository.write('b.txt', 'of the agent\n');
  await window.end(here);
  const listed = () => window.listed(here).map(({ path, status }) => `${status} ${path}`);
  assert.deepEqual(listed().sort(), ['modified b.txt', 'modified trees/own/a.txt']);
  await window.undoAll();
  assert.equal(repository.read('trees/own/a.txt'), 'a\n');
  assert.deepEqual(listed(), []);
});
