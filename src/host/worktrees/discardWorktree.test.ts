import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { workInWorktree } from '../../../test/unit-support/fixWorktree';
import { needsGit } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import { forgetFolder } from '../../worktree/made/ownFolders';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { discardWorktree } from './discardWorktree';

/** A session in a worktree that has a commit and an uncommitted file. */
async function start(t: TestContext) {
  const { repository, path } = await workInWorktree(t);
  const session = sessionIn(path);
  return { repository, path, session, discard: () => discardWorktree({ sessions: [session] }, session) };
}

function sessionIn(cwd: string) {
  const session = { isClosed: false, close: () => void (session.isClosed = true) };
  const view = { cwd, agentName: 'Fixer', activity: { state: 'idle' }, lateWork: [] };
  return Object.assign(session, { transcript: { view } }) as unknown as Session & { isClosed: boolean };
}

const messages = () => editor.shown.map(({ message }) => message);

test('discards a worktree with its branch, and closes the session', needsGit, async (t) => {
  const { repository, path, session, discard } = await start(t);
  editor.answers.push('Discard');
  await discard();
  assert.deepEqual(messages(), [
    'Discard the worktree “fix” and its branch parley/fix?',
    'Discarded the worktree “fix”.',
  ]);
  const detail = JSON.stringify(editor.shown[0]?.items);
  assert.match(detail, /1 uncommitted file: new\.txt\\n1 commit that no other branch has/);
  assert.ok(session.isClosed);
  assert.ok(!repository.has('', path));
  assert.equal(repository.git('branch', '--list', 'parley/*'), '');
  assert.equal(repository.read('a.txt'), 'one\n');
});

test('discards nothing without the user’s answer, or if more is lost', needsGit, async (t) => {
  const { repository, path, session, discard } = await start(t);
  await discard();
  assert.ok(!session.isClosed && repository.has('new.txt', path));
  const work = t.mock.method(session, 'close', () => repository.write('later.txt', 'later\n', path));
  editor.answers.push('Discard');
  await assert.rejects(discard(), /has changed in the meantime/);
  assert.equal(work.mock.callCount(), 1);
  assert.equal(repository.read('later.txt', path), 'later\n');
});

test('discards no worktree that is locked or in use', needsGit, async (t) => {
  const { repository, path, session, discard } = await start(t);
  await discardWorktree({ sessions: [session, sessionIn(path)] }, session);
  editor.folders = [path];
  await discard();
  Object.assign(session.transcript.view, { activity: { state: 'running', since: 0 } });
  await discard();
  assert.deepEqual(messages(), [
    'Another session works in this worktree, too. Close it first.',
    'This window has the worktree open. Discard it from another window.',
    'Fixer is still working. Wait until its turn ends, or stop it.',
  ]);
  editor.folders = [repository.folder];
  Object.assign(session.transcript.view, { activity: { state: 'idle' } });
  repository.git('worktree', 'lock', path);
  await assert.rejects(discard(), /is locked\. Run “git worktree unlock” first\./);
  assert.ok(!session.isClosed && repository.has('new.txt', path));
});

test('discards no folder that Parley doesn’t remember to have made', needsGit, async (t) => {
  const { repository, path, session, discard } = await start(t);
  await forgetFolder(worktreeOf(path)?.record.id ?? '');
  editor.answers.push('Discard');
  await assert.rejects(discard(), /can’t tell that it made .*git worktree remove/);
  assert.deepEqual(messages(), []);
  assert.ok(!session.isClosed && repository.has('new.txt', path));
});

test('discards no worktree in which the agent has begun to work', needsGit, async (t) => {
  const { repository, path, session, discard } = await start(t);
  const begin = () => Object.assign(session.transcript.view, { activity: { state: 'running', since: 0 } });
  editor.subscribe('shown', begin);
  editor.answers.push('Discard');
  await discard();
  assert.equal(messages().at(-1), 'Fixer is still working. Wait until its turn ends, or stop it.');
  assert.ok(!session.isClosed && repository.has('new.txt', path));
});

test('discards nothing in a folder that isn’t trusted', needsGit, async (t) => {
  const { repository, path, session, discard } = await start(t);
  editor.isTrusted = false;
  editor.answers.push('', 'Discard');
  await discard();
  assert.ok(!session.isClosed && repository.has('new.txt', path));
  assert.ok(messages().every((message) => !message.startsWith('Discard')));
});
