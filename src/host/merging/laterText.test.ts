// What the user writes between a merge and its end stays as it is. With real git and files.
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Bringing } from '../../../test/unit-support/bringing';
import { needsGit } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import { ChangeBringer } from './bringChanges';

const seven = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const mine = seven.replace('one', 'mine');
const theirs = seven.replace('one', 'theirs');

/** A file in which the agent and the user changed the same line, and its conflict. `during` happens while files are backed up. */
async function conflicting(t: TestContext) {
  const one = await Bringing.start(t, { 'a.txt': seven });
  one.repository.write('a.txt', mine);
  one.agent('a.txt', theirs);
  const request = { session: one.session as unknown as Session, worktree: one.worktree };
  const [conflict] = (await one.bringer.bring(request)).conflicts;
  assert.ok(conflict);
  const document = one.window.documents.open(one.window.path('a.txt'));
  return { one, request, conflict, document };
}

/** A bringer during whose backups something happens. */
function interrupted({ bringer }: Bringing, happen: () => void): ChangeBringer {
  const services = bringer['services'];
  return new ChangeBringer({
    ...services,
    checkpoints: {
      backUp: async (...all) => {
        const backup = await services.checkpoints.backUp(...all);
        happen();
        return backup;
      },
    },
  });
}

test('the agent’s version replaces a file that is as it was', needsGit, async (t) => {
  const { one, request, conflict } = await conflicting(t);
  await one.bringer.takeTheirs(request, conflict);
  assert.equal(one.repository.read('a.txt'), theirs);
});

test('the agent’s version never replaces what the user has typed since', needsGit, async (t) => {
  const { one, request, conflict, document } = await conflicting(t);
  document.type('typed\n');
  await assert.rejects(one.bringer.takeTheirs(request, conflict), /The file has just changed/);
  assert.deepEqual([document.getText(), one.repository.read('a.txt')], ['typed\n', mine]);
});

test('the agent’s version never replaces what the user types during the backup', needsGit, async (t) => {
  const { one, request, conflict, document } = await conflicting(t);
  const bringer = interrupted(one, () => document.type('typed\n'));
  await assert.rejects(bringer.takeTheirs(request, conflict), /The file has just changed/);
  assert.deepEqual([document.getText(), one.repository.read('a.txt')], ['typed\n', mine]);
});

test('conflict markers never replace what the user has typed since', needsGit, async (t) => {
  const { one, request, conflict, document } = await conflicting(t);
  document.type('typed\n');
  await assert.rejects(one.bringer.resolveInEditor(request, conflict), /The file has just changed/);
  assert.equal(document.getText(), 'typed\n');
});

test('the merge editor never opens for a file that has changed since', needsGit, async (t) => {
  const { one, request, conflict } = await conflicting(t);
  one.repository.write('a.txt', 'later\n');
  const show = () => assert.fail('It would save the result over later text.');
  const bringer = new ChangeBringer({ ...one.bringer['services'], mergeEditors: { show } });
  await assert.rejects(bringer.resolveInEditor(request, conflict), /The file has just changed/);
  assert.equal(one.repository.read('a.txt'), 'later\n');
});

test('a merge never replaces what the user writes during the backup', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven, 'b.txt': seven });
  one.agent('a.txt', theirs);
  renameSync(join(one.there, 'b.txt'), join(one.there, 'c.txt'));
  const bringer = interrupted(one, () => {
    one.repository.write('a.txt', 'later\n');
    one.repository.write('b.txt', 'later, too\n');
  });
  const { skipped } = await bringer.bring({ session: one.session as unknown as Session, worktree: one.worktree });
  assert.equal(one.repository.read('a.txt'), 'later\n');
  assert.equal(one.repository.read('b.txt'), 'later, too\n');
  assert.deepEqual(skipped.map(({ path }) => path).toSorted(), ['a.txt', 'c.txt']);
});

test('files that can run programs change only if the user agrees', needsGit, async (t) => {
  const one = await Bringing.start(t, { '.vscode/settings.json': '{}\n' });
  one.agent('.vscode/settings.json', '{ "a": 1 }\n');
  const request = { session: one.session as unknown as Session, worktree: one.worktree };
  assert.equal((await one.bringer.bring(request)).isCancelled, true);
  assert.equal(one.repository.read('.vscode/settings.json'), '{}\n');
  editor.answers.push('Bring Changes');
  await one.bringer.bring(request);
  assert.equal(one.repository.read('.vscode/settings.json'), '{ "a": 1 }\n');
});
