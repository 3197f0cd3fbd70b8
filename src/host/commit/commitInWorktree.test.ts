// Commit and Keep Branch: what is kept of a session in a worktree is committed there, with real git.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test, type TestContext } from 'node:test';
import { AskedInputs, type AskedItem } from '../../../test/unit-support/askedInputs';
import { Bringing } from '../../../test/unit-support/bringing';
import { needsGit, posixOnly } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import { KnownPrograms } from '../../git/knownPrograms';
import { programMemory } from '../git/programMemory';
import { ProgramQuestions } from '../git/programQuestions';
import { CommitDialog, type CommitServices } from './commitDialog';

/** A session that has changed two files in its worktree, of which one waits for review. The repository has a remote. */
async function worked(t: TestContext) {
  const one = await Bringing.start(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const { repository, session, window, there } = one;
  const remote = join(repository.around, 'remote.git');
  repository.git('init', '--quiet', '--bare', remote);
  repository.git('remote', 'add', 'origin', remote);
  repository.git('push', '--quiet', '--set-upstream', 'origin', 'main');
  session.transcript.view['cwd'] = there;
  await window.begin(session);
  one.agent('a.txt', 'kept\n');
  one.agent('b.txt', 'waits\n');
  await window.end(session);
  const { log } = window.review;
  log.keep(pathToFileURL(join(there, 'a.txt')).href, 'all');
  const asked: string[] = [];
  Object.assign(session, {
    sendPrompt: (words: string) => {
      asked.push(words);
      session.begin();
      session['applied'].fire([]);
      const answer = { kind: 'agent_message', id: 'said', content: [{ type: 'text', text: 'Rename the uploads\n' }] };
      session.transcript.order.push('said');
      session.transcript.entries.set('said', answer as never);
      session.end();
      session['applied'].fire([]);
    },
  });
  const known = new KnownPrograms(programMemory(join(repository.around, 'programs')));
  await known.begin(there);
  const services = {
    pool: { sessions: [session] },
    pages: { activeSession: undefined },
    review: log,
    log: { error: (text: string) => assert.fail(text) },
    programs: new ProgramQuestions(known),
    changedFiles: () => ['a.txt', 'b.txt'].map((path) => join(there, path)),
  } as unknown as CommitServices;
  return { one, repository, there, remote, asked, run: () => new CommitDialog(services).run(session.key, undefined) };
}

test('commits kept files to the branch of the worktree, and pushes nothing', needsGit, async (t) => {
  const { repository, there, remote, asked, run } = await worked(t);
  const before = repository.git('rev-parse', 'main');
  const inputs = new AskedInputs(t);
  let offered: readonly AskedItem[] = [];
  inputs.list(({ title, items, selectedItems }) => {
    assert.equal(title, 'Commit to parley/fix');
    offered = items;
    return selectedItems;
  });
  inputs.box(async (box) => {
    assert.equal(box.title, 'Commit 1 file to parley/fix');
    await box.press();
    assert.equal(box.value, 'Rename the uploads');
    box.value = 'Rename all uploads';
  });
  await run();
  assert.equal(inputs.left, 0);
  assert.match(asked.join(), /a\.txt/);
  assert.deepEqual(
    offered.map(({ label }) => label),
    ['Kept changes by Fixer', 'a.txt'],
  );
  assert.equal(repository.gitIn(there, 'log', '-1', '--format=%s', 'parley/fix'), 'Rename all uploads');
  assert.deepEqual(repository.gitIn(there, 'show', '--name-only', '--format=').split('\n'), ['a.txt']);
  assert.deepEqual(repository.status(there), [' M b.txt']);
  assert.equal(repository.git('rev-parse', 'main'), before);
  assert.equal(repository.gitIn(remote, 'for-each-ref', '--format=%(refname)'), 'refs/heads/main');
  assert.match(editor.shown.at(-1)?.message ?? '', /^Committed 1 file \(/);
});

test('says which hooks run, and asks about those that appeared', { ...needsGit, ...posixOnly }, async (t) => {
  const { repository, there, run } = await worked(t);
  const ran = join(repository.around, 'ran');
  const hook = join(repository.folder, '.git/hooks/pre-commit');
  mkdirSync(join(hook, '..'), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\necho "$0" > '${ran}'\n`, { mode: 0o755 });
  const inputs = new AskedInputs(t);
  const commit = async (...answers: readonly string[]) => {
    inputs.list(({ items }) => items.filter(({ label }) => label === 'a.txt'));
    inputs.box((box) => {
      assert.match(box.prompt, /Git runs the hook pre-commit\.$/);
      box.value = 'Rename the uploads';
      return Promise.resolve();
    });
    editor.answers.push(...answers);
    await run();
  };
  const before = repository.gitIn(there, 'rev-parse', 'HEAD');
  await commit();
  const question = editor.shown.at(-1);
  assert.match(question?.message ?? '', /have changed since a session began\. Run them\?$/);
  assert.match(JSON.stringify(question?.items), /New: hooks\/pre-commit/);
  assert.equal(repository.gitIn(there, 'rev-parse', 'HEAD'), before, 'Nothing was committed.');
  await commit('Commit Without Them');
  assert.notEqual(repository.gitIn(there, 'rev-parse', 'HEAD'), before);
  assert.ok(!existsSync(ran));
  assert.match(editor.shown.at(-1)?.message ?? '', /^Committed 1 file/);
  // Once the user has agreed, Git runs them, and asks no more.
  repository.write('a.txt', 'again\n', there);
  await commit('Run Them');
  assert.ok(existsSync(ran));
});
