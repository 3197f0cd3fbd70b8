import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCases } from './caseFiles';
import { standings, type Standing } from './checklist';
import { judge } from './judge';
import { rows, type RowState } from './rows';

test('every row of the checklist is in the suite exactly once', () => {
  const ids = rows.map(({ id }) => id);
  assert.deepEqual([...ids].sort(), [...standings.keys()].sort());
});

test('no row has a lower state than before', () => {
  const now = new Map(rows.map(({ id, state }) => [id, standingOf(state)]));
  const moved = [...standings].filter(([id, standing]) => now.get(id) !== standing);
  assert.deepEqual(
    moved.map(([id, standing]) => `${id} was ${standing}, is ${now.get(id) ?? 'gone'}`),
    [],
  );
});

test('every served row has its case or its tests', async () => {
  const cases = await readCases();
  const names = new Map(cases);
  assert.equal(cases.length, names.size, 'A row has two cases.');
  const outcomes = new Map([...names.values()].map((name) => [name, undefined]));
  const results = await judge(rows, names, outcomes, { filter: '', read: (path) => path });
  const problems = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'not run');
  assert.deepEqual(
    problems.map(({ id, problem }) => `${id}: ${problem ?? 'is not played'}`),
    [],
  );
});

function standingOf(state: RowState): Standing | 'open' {
  if (state === 'case' || 'caseAnd' in state) return 'played';
  if ('shownBy' in state) return 'shownElsewhere';
  if ('later' in state) return 'later';
  return 'notApplicable' in state ? 'notApplicable' : 'open';
}
