import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { it, test, type TestContext } from 'node:test';
import { fixWorktree } from '../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import type { SessionKey } from '../../shared/values/ids';
import type { PageCell, PageTry } from '../../shared/changes/triesPage';
import { triesReport, filesOfTries } from '../../tries/triesReport';
import type { Try } from '../../tries/tryGroup';
import { cleanUpTries, leftFiles, listTries } from './cleanUpTries';

it('lists what would be lost, without what was taken alike', () => {
  const cell = (fields: Partial<PageCell> = {}): PageCell => ({ kind: 'changed', added: 1, removed: 0, ...fields });
  const rows = [
    { path: 'taken', cells: [cell({ taken: 'all' }), cell({ sameAs: 0 }), cell()] },
    { path: 'alike', cells: [cell(), cell({ sameAs: 0, taken: 'all' }), undefined] },
    { path: 'partly', cells: [undefined, cell({ taken: { count: 2, of: 3 } }), cell({ sameAs: 1 })] },
  ];
  const tries = [{}, {}, {}] as unknown as readonly PageTry[];
  const part = (path: string, isPartlyTaken = false) => ({ path, isPartlyTaken, added: 1, removed: 0 });
  assert.deepEqual(leftFiles({ tries, rows }), [[], [part('partly', true)], [part('taken'), part('partly')]]);
});

/** A try in a worktree, and what is said and done about it. */
async function tryIn(t: TestContext) {
  editor.reset();
  const repository = new GitRepository(t);
  repository.write('a.txt', 'a\n');
  repository.commit();
  const { record, common } = await fixWorktree(repository);
  const session = 's' as SessionKey;
  const one: Try = {
    session,
    agentName: 'Ada',
    worktree: record.id,
    path: record.path,
    branch: record.branch,
    base: record.base,
    use: { ms: 0, costs: [] },
    taken: [],
  };
  const ended: SessionKey[] = [];
  /** Lists the try as it is. */
  const list = async (as: Try = one, state: PageTry['state'] = 'ended') => {
    const group = { id: 'g', createdAt: 1, message: 'm', from: repository.folder, common, commit: record.base };
    const tries = { ...group, tries: [as] };
    const report = triesReport(tries, await filesOfTries(tries), () => ({ state, isChecking: false }));
    return { ...(await listTries(tries, report)), report };
  };
  const remove = ({ seen, report }: Awaited<ReturnType<typeof list>>, keepsBranches = false) =>
    cleanUpTries(
      { common },
      { seen },
      { tries: [session], keepsBranches, now: report.tries, end: (key) => ended.push(key) },
    );
  return { repository, record, one, ended, list, remove, session };
}

test('says of each try what goes, also where it can’t be compared', needsGit, async (t) => {
  const { repository, record, one, list } = await tryIn(t);
  const linesOf = async (other: Try) => (await list(other)).tries[0]?.details ?? [];
  assert.deepEqual(await linesOf(one), ['No changes.']);
  repository.write('a.txt', 'changed\n', record.path);
  assert.deepEqual(await linesOf(one), ['Not taken: a.txt']);
  assert.deepEqual(await linesOf({ ...one, taken: [{ path: 'a.txt' }] }), ['Everything is taken.']);
  // What the user's files had when its agent merged them may be gone since.
  assert.deepEqual(await linesOf({ ...one, start: one.base }), ['Not taken: a.txt', '1 uncommitted file: a.txt']);
  const [problem = '', ...others] = await linesOf({ ...one, base: 'a'.repeat(40) });
  assert.match(problem, /^It couldn’t be compared: /);
  assert.deepEqual(others, ['1 uncommitted file: a.txt']);
  const [{ files, added, removed } = { files: 0, added: 0, removed: 0 }] = (await list()).tries;
  assert.deepEqual([files, added, removed], [1, 1, 1]);
});

test('deletes the worktree and branch of a try as listed', needsGit, async (t) => {
  const { repository, record, ended, list, remove, session } = await tryIn(t);
  repository.write('a.txt', 'changed\n', record.path);
  const seen = await list();
  repository.write('new.txt', 'more\n', record.path);
  // There is more than the user has seen.
  assert.match((await remove(seen)).get(session) ?? '', /has changed in the meantime/);
  assert.equal(existsSync(record.path), true);
  assert.deepEqual(await remove(await list()), new Map());
  assert.deepEqual(
    [ended, existsSync(record.path), repository.git('branch', '--list', record.branch)],
    [['s', 's'], false, ''],
  );
  assert.equal(editor.shown.at(-1)?.message, 'Removed the files of 1 try.');
  assert.deepEqual((await list()).tries, []);
});

test('keeps the work of a try on its branch', needsGit, async (t) => {
  const { repository, record, list, remove } = await tryIn(t);
  repository.write('a.txt', 'changed\n', record.path);
  repository.write('new.txt', 'more\n', record.path);
  assert.deepEqual(await remove(await list(), true), new Map());
  assert.equal(existsSync(record.path), false);
  assert.equal(repository.git('show', `${record.branch}:a.txt`), 'changed');
  assert.equal(repository.git('show', `${record.branch}:new.txt`), 'more');
  const words = `Removed 1 worktree. Its work is on the branch “${record.branch}”.`;
  assert.equal(editor.shown.at(-1)?.message, words);
});

test('removes no worktree that is at work or locked', needsGit, async (t) => {
  const { repository, record, one, ended, list, remove, session } = await tryIn(t);
  const working = await list(one, 'working');
  assert.equal(working.tries[0]?.reason, 'Still working. Stop it first, or wait.');
  assert.deepEqual(await remove(working), new Map());
  // It began to work after it was listed.
  const before = await list();
  assert.match((await remove({ ...before, report: working.report })).get(session) ?? '', /^Still working\./);
  repository.git('worktree', 'lock', record.path);
  assert.match((await list()).tries[0]?.reason ?? '', /is locked\. Run “git worktree unlock” first\.$/);
  assert.deepEqual([ended, existsSync(record.path)], [[], true]);
});
