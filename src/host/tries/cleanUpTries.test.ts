import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import { fixWorktree } from '../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import type { SessionKey } from '../../shared/ids';
import type { PageCell, PageTry } from '../../shared/triesPage';
import { triesReport, filesOfTries } from '../../tries/triesReport';
import type { Try, TryGroup } from '../../tries/tryGroup';
import { cleanUpTries, leftFiles } from './cleanUpTries';

it('lists what would be lost, without what was taken alike', () => {
  const cell = (fields: Partial<PageCell> = {}): PageCell => ({ kind: 'changed', added: 1, removed: 0, ...fields });
  const rows = [
    { path: 'taken', cells: [cell({ taken: 'all' }), cell({ sameAs: 0 }), cell()] },
    { path: 'alike', cells: [cell(), cell({ sameAs: 0, taken: 'all' }), undefined] },
    { path: 'partly', cells: [undefined, cell({ taken: { count: 2, of: 3 } }), cell({ sameAs: 1 })] },
  ];
  const tries = [{}, {}, {}] as unknown as readonly PageTry[];
  const part = (path: string, isPartlyTaken = false) => ({ path, isPartlyTaken });
  assert.deepEqual(leftFiles({ tries, rows }), [[], [part('partly', true)], [part('taken'), part('partly')]]);
});

test('says of each try what goes, also where it can’t be compared', needsGit, async (t) => {
  editor.reset();
  const repository = new GitRepository(t);
  repository.write('a.txt', 'a\n');
  repository.commit();
  const { record, common } = await fixWorktree(repository);
  const one: Try = {
    session: 's' as SessionKey,
    agentName: 'Ada',
    worktree: record.id,
    path: record.path,
    branch: record.branch,
    base: record.base,
    use: { ms: 0, costs: [] },
    taken: [],
  };
  const ended: SessionKey[] = [];
  /** Asks, with the try as it is, and returns what the question says about it. */
  const ask = async (tries: readonly Try[]) => {
    const group: TryGroup = {
      id: 'g',
      createdAt: 1,
      message: 'm',
      from: repository.folder,
      common,
      commit: record.base,
      tries,
    };
    const report = triesReport(group, await filesOfTries(group), () => ({ state: 'ended', isChecking: false }));
    const isGone = await cleanUpTries(group, report, (session) => void ended.push(session));
    const options = editor.shown.at(-1)?.items[0] as { readonly detail?: string } | undefined;
    return { isGone, lines: options?.detail?.split('\n').slice(1) ?? [] };
  };
  const linesOf = async (other: Try) => (await ask([other])).lines.filter((line) => line !== '').slice(0, -1);
  assert.deepEqual(await linesOf(one), ['No changes.']);
  repository.write('a.txt', 'changed\n', record.path);
  assert.deepEqual(await linesOf(one), ['Not taken: a.txt']);
  assert.deepEqual(await linesOf({ ...one, taken: [{ path: 'a.txt' }] }), ['Everything is taken.']);
  // What the user's files had when its agent merged them may be gone since.
  assert.deepEqual(await linesOf({ ...one, start: one.base }), ['Not taken: a.txt', '1 uncommitted file: a.txt']);
  const [problem = '', ...others] = await linesOf({ ...one, base: 'a'.repeat(40) });
  assert.match(problem, /^It couldn’t be compared: /);
  assert.deepEqual(others, ['1 uncommitted file: a.txt']);
  assert.deepEqual(ended, []);
  editor.answers.push('Remove Worktrees');
  assert.equal((await ask([one])).isGone, true);
  assert.deepEqual(ended, ['s']);
  // Once its worktree is gone, there is nothing to ask about.
  const asked = editor.shown.length;
  assert.equal((await ask([one])).isGone, true);
  assert.equal(editor.shown.length, asked);
});
