import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { budgetLevel, budgetPercent } from '../shared/amounts/budget';
import type { AgentId, SessionKey } from '../shared/values/ids';
import { budgetUses, decodeBudgets, endOfDay } from './budgets';
import type { UsageRow } from './usageDays';

const row = (agentName: string, total: number, costs: UsageRow['costs'] = []): UsageRow => ({
  agentId: `settings:${agentName}` as AgentId,
  agentName,
  session: 's1' as SessionKey,
  model: '',
  turns: 1,
  total,
  input: total,
  output: 0,
  costs,
});

suite('budgets', () => {
  test('are read as far as they are budgets', () => {
    const read = decodeBudgets([
      {
        session: { tokens: 1000, cost: 2 },
        day: { tokens: -1, cost: 'much' },
        agents: { Claude: { day: { cost: 3, currency: 'eur' } }, Codex: 7 },
        week: { tokens: 1 },
      },
      undefined,
      'nothing',
    ]);
    assert.deepEqual(read, [
      { per: 'session', most: 1000 },
      { per: 'session', currency: 'USD', most: 2 },
      { per: 'day', agentName: 'Claude', currency: 'EUR', most: 3 },
    ]);
  });

  test('of several sources count as the lowest of each kind', () => {
    const sources = [
      { day: { tokens: 100 } },
      { day: { tokens: 900 }, session: { tokens: 5 } },
      { day: { tokens: 70 } },
    ];
    assert.deepEqual(decodeBudgets(sources), [
      { per: 'day', most: 70 },
      { per: 'session', most: 5 },
    ]);
    assert.deepEqual(decodeBudgets(sources.toReversed()).find(({ per }) => per === 'day')?.most, 70);
  });

  test('are compared with the session, the day, and the agent', () => {
    const budgets = decodeBudgets([
      {
        session: { tokens: 100, cost: 1 },
        day: { tokens: 1000, cost: 10 },
        agents: { Claude: { day: { tokens: 400 } }, Codex: { day: { tokens: 1 } } },
      },
    ]);
    const today = [
      row('Claude', 300, [{ amount: 0.1, currency: 'USD' }]),
      row('Codex', 50, [{ amount: 0.2, currency: 'USD' }]),
    ];
    const session = { tokens: 80, cost: { amount: 4, currency: 'EUR' } };
    const uses = budgetUses(budgets, { agentName: 'Claude', session, today, todayEnds: 9000 });
    // A cost in another currency isn't compared.
    assert.deepEqual(
      uses.map(({ per, used, until }) => [per, used, until]),
      [
        ['session', 80, undefined],
        ['session', 0, undefined],
        ['day', 350, 9000],
        ['day', 0.3, 9000],
        ['day', 300, 9000],
      ],
    );
    assert.deepEqual(
      uses.map((use) => budgetLevel(use, 0)),
      ['near', 'ok', 'ok', 'ok', 'ok'],
    );
  });

  test('are near at 80%, and start again on the next day', () => {
    const level = (used: number, now = 1) => budgetLevel({ per: 'day', most: 10, used, until: 5 }, now);
    assert.deepEqual(
      [7.9, 8, 9.99, 10, 30].map((used) => level(used)),
      ['ok', 'near', 'near', 'usedUp', 'usedUp'],
    );
    assert.equal(level(30, 5), 'ok');
    assert.equal(budgetLevel({ per: 'session', most: 0, used: 0 }, 0), 'usedUp');
    assert.deepEqual(
      [budgetPercent({ per: 'day', most: 0, used: 0 }), budgetPercent({ per: 'day', most: 3, used: 2 })],
      [100, 67],
    );
    assert.equal(endOfDay(new Date(2026, 11, 31, 23, 59).getTime()), new Date(2027, 0, 1).getTime());
  });
});
