import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { FakeDocuments } from '../../../test/unit-support/fakeDocuments';
import { workInWorktree } from '../../../test/unit-support/fixWorktree';
import { needsGit, posixOnly } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import { KnownPrograms } from '../../git/knownPrograms';
import type { Session } from '../../session/session';
import { programMemory } from '../git/programMemory';
import { ProgramQuestions } from '../git/programQuestions';
import { mergeBranchHere } from './mergeBranch';

/** A session in a worktree with a commit of its own, and the documents that the user has open. */
async function start(t: TestContext) {
  const { repository, path } = await workInWorktree(t);
  const documents = new FakeDocuments();
  t.after(() => documents.dispose());
  const session = { transcript: { view: { cwd: path, agentName: 'Fixer' } } } as unknown as Session;
  const known = new KnownPrograms(programMemory(join(repository.around, 'programs')));
  const programs = new ProgramQuestions(known);
  return { repository, path, documents, known, merge: () => mergeBranchHere(session, programs) };
}

const messages = () => editor.shown.map(({ message }) => message);

test('merges the branch of a worktree only if the user agrees', needsGit, async (t) => {
  const { repository, merge } = await start(t);
  await merge();
  assert.equal(repository.read('a.txt'), 'one\n');
  editor.answers.push('Merge Branch');
  await merge();
  assert.equal(repository.read('a.txt'), 'two\n');
  const rest =
    '1 file of the worktree isn’t committed: new.txt. Commit there first, or use “Parley: Bring Changes Here”.';
  assert.equal(messages().at(-1), `Merged “parley/fix”. ${rest}`);
  editor.answers.push('Merge Branch');
  await merge();
  assert.equal(messages().at(-1), `The current branch already has all commits of “parley/fix”. ${rest}`);
});

test('says that a merge isn’t committed, and how to undo it', needsGit, async (t) => {
  const { repository, merge } = await start(t);
  repository.git('config', 'branch.main.mergeOptions', '--no-commit --no-ff');
  editor.answers.push('Merge Branch');
  await merge();
  assert.match(
    messages().at(-1) ?? '',
    /^Git merged the files of “parley\/fix”, but didn’t commit the merge\. .*run “git merge --abort” to undo it\.$/s,
  );
});

test('Git merges nothing while a file there has unsaved text', needsGit, async (t) => {
  const { repository, path, documents, merge } = await start(t);
  const document = documents.open(join(repository.folder, 'a.txt'));
  document.type('typed\n');
  editor.answers.push('Merge Branch');
  await merge();
  assert.equal(repository.read('a.txt'), 'one\n');
  assert.equal(document.getText(), 'typed\n');
  assert.match(messages().at(-1) ?? '', /has unsaved changes, which Git doesn’t see\. Save it first\.$/);
  // What is unsaved elsewhere is in nobody's way.
  document.revert();
  documents.open(join(path, 'a.txt')).type('typed there\n');
  editor.answers.push('Merge Branch');
  await merge();
  assert.equal(repository.read('a.txt'), 'two\n');
});

test('merges nothing in a folder that isn’t trusted', needsGit, async (t) => {
  const { repository, merge } = await start(t);
  editor.isTrusted = false;
  editor.answers.push('Merge Branch', 'Merge Branch');
  await merge();
  assert.equal(repository.read('a.txt'), 'one\n');
});

test('merges without hooks that appeared during a session, or asks first', { ...needsGit, ...posixOnly }, async (t) => {
  const { repository, known, path, merge } = await start(t);
  await known.begin(path);
  const hook = join(repository.folder, '.git/hooks/commit-msg');
  mkdirSync(join(hook, '..'), { recursive: true });
  writeFileSync(hook, '#!/bin/sh\ntouch ../ran\n', { mode: 0o755 });
  repository.write('b.txt', 'mine\n');
  repository.commit('Mine');
  rmSync(join(repository.around, 'ran'));
  editor.answers.push('Merge Branch');
  await merge();
  assert.equal(repository.read('a.txt'), 'one\n', 'The second question was dismissed.');
  const [first, second] = editor.shown.slice(-2);
  assert.deepEqual(second?.items, [second?.items[0], 'Merge Without Them', 'Run Them']);
  assert.match(JSON.stringify(first?.items[0]), /Git runs the hook commit-msg\./);
  assert.match(JSON.stringify(second.items[0]), /New: hooks\/commit-msg/);
  editor.answers.push('Merge Branch', 'Merge Without Them');
  await merge();
  assert.equal(repository.read('a.txt'), 'two\n');
  assert.equal(repository.git('log', '-1', '--format=%an'), 'Ada');
  assert.ok(!existsSync(join(repository.around, 'ran')));
});
