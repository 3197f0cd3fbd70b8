import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionRow } from './sessionRows';
import { recentRows } from './recentRows';

const row = (title: string, at: number, fields: Partial<SessionRow> = {}) =>
  ({
    id: title,
    title,
    at,
    place: 'stored',
    state: 'closed',
    folder: 'harbor',
    actions: [],
    ...fields,
  }) as unknown as SessionRow;
const titles = (rows: readonly SessionRow[]) => rows.map(({ title }) => title);

test('the longest waiting and the last used sessions come first', () => {
  const { needsYou, recent } = recentRows([
    row('old', 1),
    row('asks', 8, { state: 'needsYou', place: 'here' }),
    row('asked before', 2, { state: 'needsYou', place: 'otherWindow' }),
    row('new', 7, { place: 'here', state: 'running' }),
    row('newer', 9),
    row('between', 5),
  ]);
  assert.deepEqual(
    [titles(needsYou), titles(recent)],
    [
      ['asked before', 'asks'],
      ['newer', 'new', 'between'],
    ],
  );
});

test('leaves out archived, empty, and foreign sessions', () => {
  const { needsYou, recent } = recentRows([
    row('archived', 5, { isArchived: true }),
    row('empty', 0, { state: 'idle', place: 'here' }),
    row('elsewhere', 5, { place: 'otherWindow' }),
    row('of the agent', 5, { place: 'agent' }),
    row('kept', 1),
  ]);
  assert.deepEqual([titles(needsYou), titles(recent)], [[], ['kept']]);
});
