import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AgentId, SessionKey } from '../shared/values/ids';
import { decodePrices } from './prices';
import { usageCsv } from './usageCsv';
import { addTurn, dayBefore, dayOf, readDay, type UsageDay, type UsedTurn } from './usageDays';
import { reportOf } from './usageReport';

const turn = (fields: Partial<UsedTurn> = {}): UsedTurn => ({
  at: 0,
  agentId: 'claude' as AgentId,
  agentName: 'Claude',
  session: 's1' as SessionKey,
  ...fields,
});
const tokens = { total: 15, input: 12, output: 3 };
const cost = { amount: 0.1, currency: 'USD' };
const now = new Date(2026, 10, 26, 18).getTime();

const rows = [
  turn({ model: 'Opus', tokens, cost }),
  turn({ model: 'Opus', tokens, cost: { amount: 0.2, currency: 'USD' } }),
  turn({
    tokens: {
      ...tokens,
      models: [
        { ...tokens, model: 'opus' },
        { total: 4, input: 3, output: 1, model: 'haiku' },
      ],
    },
  }),
  turn({
    agentId: 'gemini' as AgentId,
    agentName: 'Gemini',
    session: 's2' as SessionKey,
    tokens: { ...tokens, cachedRead: 2 },
  }),
].reduce(addTurn, []);
const days: readonly UsageDay[] = [
  { version: 1, day: dayOf(now), rows },
  { version: 1, day: dayBefore(now, 6), rows: rows.slice(0, 1) },
  { version: 1, day: dayBefore(now, 7), rows: rows.slice(0, 1) },
];

suite('the rows of a day', () => {
  test('add up turns of the same agent, session, and model', () => {
    assert.deepEqual(
      rows.map(({ agentName, model, turns, total, costs }) => [agentName, model, turns, total, costs]),
      [
        ['Claude', 'Opus', 2, 30, [{ amount: 0.3, currency: 'USD' }]],
        ['Claude', 'opus', 1, 15, []],
        ['Claude', 'haiku', 0, 4, []],
        ['Gemini', '', 1, 15, []],
      ],
    );
    assert.equal(addTurn(rows, turn()), rows);
  });

  test('have a cost without tokens, if that is all the agent reports', () => {
    const [row] = addTurn([], turn({ cost }));
    assert.deepEqual([row?.total, row?.turns, row?.costs], [0, 1, [cost]]);
  });

  test('count per model, or all of the turn if that is more', () => {
    const less = { ...tokens, models: [{ total: 1, input: 1, output: 0, model: 'opus' }] };
    assert.deepEqual(
      addTurn([], turn({ tokens: less })).map(({ model, total }) => [model, total]),
      [['opus', 15]],
    );
  });

  test('are read from a record of the same shape only', () => {
    const [day] = days;
    assert.deepEqual(readDay(JSON.parse(JSON.stringify(day))), day);
    for (const damage of [{ day: 'today' }, { rows: {} }, { version: 2 }]) {
      assert.equal(readDay({ ...day, ...damage }), undefined);
    }
  });
});

test('days follow the calendar, also when clocks change', () => {
  assert.equal(dayBefore(new Date(2026, 2, 1, 0, 30).getTime(), 1), '2026-02-28');
  assert.equal(dayBefore(new Date(2026, 9, 26, 0, 30).getTime(), 1), '2026-10-25');
  assert.equal(dayOf(new Date(2026, 0, 1, 23, 59).getTime()), '2026-01-01');
});

test('a report has the days of its range, and all sums agree', () => {
  const titleOf = (key: string) => (key === 's1' ? 'Retry flaky uploads' : undefined);
  const report = reportOf(days, { range: 'week', now, budgets: [], prices: new Map(), titleOf });
  const sums = Object.values(report.groups).map((lines) => lines.reduce((sum, line) => sum + line.tokens.total, 0));
  assert.deepEqual([...sums, report.total.tokens.total], [94, 94, 94, 94, 94]);
  assert.deepEqual(
    report.groups.days.map(({ label, tokens }) => [label, tokens.total]),
    [
      ['2026-11-26', 64],
      ['2026-11-20', 30],
    ],
  );
  assert.deepEqual(
    report.groups.sessions.map(({ label, agentName, turns }) => [label, agentName, turns]),
    [
      ['Retry flaky uploads', 'Claude', 5],
      ['', 'Gemini', 1],
    ],
  );
  assert.deepEqual(report.total.costs, [{ amount: 0.6, currency: 'USD' }]);
  assert.equal(
    reportOf(days, { range: 'month', now, budgets: [], prices: new Map(), titleOf }).total.tokens.total,
    124,
  );
});

test('a price gives an amount where the agent reported none', () => {
  const price = { input: 1, output: 10, cachedRead: 0.5 };
  const prices = decodePrices({
    haiku: price,
    Gemini: { ...price, currency: 'EUR' },
    opus: { input: 'free' },
    Opus: price,
  });
  const { groups } = reportOf(days, { range: 'week', now, budgets: [], prices, titleOf: () => '' });
  assert.deepEqual(
    groups.models.map(({ label, about }) => [label, about]),
    [
      ['Opus', []],
      ['opus', []],
      // Of the input, 2 tokens were cached.
      ['', [{ amount: 0.000041, currency: 'EUR' }]],
      ['haiku', [{ amount: 0.000013, currency: 'USD' }]],
    ],
  );
});

test('the CSV has all days, and no cell is a formula', () => {
  const odd = addTurn([], turn({ agentName: '=1+1', model: 'a "b", c', tokens, cost }));
  const text = usageCsv([...days.slice(0, 1), { version: 1, day: '2026-01-01', rows: odd }], new Map());
  const lines = text.split('\r\n');
  assert.equal(lines.length, 7);
  assert.equal(lines[1], `2026-01-01,'=1+1,"a ""b"", c",s1,1,15,12,3,,,,0.1,USD,`);
  assert.equal(lines[2], '2026-11-26,Claude,Opus,s1,2,30,24,6,,,,0.3,USD,');
});

test('a day stays readable whatever agents report', () => {
  const huge = { amount: 1e308, currency: 'USD' };
  const rows = addTurn(
    addTurn([], turn({ tokens, cost: huge })),
    turn({ session: 's2' as SessionKey, tokens, cost: huge }),
  );
  const twice = addTurn(rows, turn({ tokens, cost: huge }));
  const stored: unknown = JSON.parse(JSON.stringify({ version: 1, day: '2026-11-26', rows: twice }));
  assert.deepEqual(readDay(stored)?.rows.length, 2);
  assert.deepEqual(
    readDay(stored)?.rows.map(({ costs }) => costs),
    [[{ amount: 1e12, currency: 'USD' }], [{ amount: 1e12, currency: 'USD' }]],
  );
});

test('an impossible row or cost is left out of its day', () => {
  const [row] = addTurn([], turn({ tokens, cost }));
  const odd = [
    { ...row, costs: [{ amount: null, currency: 'USD' }, { amount: -1000, currency: 'USD' }, ...(row?.costs ?? [])] },
    { ...row, total: -5 },
    { ...row, total: null },
    { ...row, session: 5 },
    null,
    { ...row, costs: [{ amount: 1, currency: 'U\u202eSD' }] },
  ];
  const read = readDay(JSON.parse(JSON.stringify({ version: 1, day: '2026-11-26', rows: odd })));
  assert.deepEqual(read?.rows, [row, { ...row, costs: [] }]);
  for (const json of [null, { version: 1, day: 'x', rows: [] }, { version: 2, day: '2026-11-26', rows: [] }])
    assert.equal(readDay(json), undefined);
});
