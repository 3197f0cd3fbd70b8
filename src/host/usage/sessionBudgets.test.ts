import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { mementoOf } from '../../../test/unit-support/memento';
import { Emitter } from '../../shared/values/event';
import { decodeBudgets } from '../../usage/budgets';
import { addTurn, type UsageRow } from '../../usage/usageDays';
import { CountTurns } from './countTurns';
import { SessionBudgets } from './sessionBudgets';

/** A window with a session of an agent that reports tokens. */
function openWindow(settings: unknown, memory = mementoOf()) {
  const harness = new SessionHarness('Claude').open();
  const pool = { sessions: [harness.session], onDidChangeSessions: new Emitter<void>().event };
  const { now } = harness.clock;
  const counted = new Emitter<void>();
  const changed = new Emitter<void>();
  let own: readonly UsageRow[] = [];
  let others: readonly UsageRow[] = [];
  let budgets = decodeBudgets([settings]);
  const store = {
    onDidChange: counted.event,
    get ownToday() {
      return own;
    },
    othersToday: () => Promise.resolve(others),
  };
  new CountTurns(pool, now, (turn) => {
    own = addTurn(own, turn);
    counted.fire();
  });
  new SessionBudgets({
    pool,
    budgets: () => budgets,
    onDidChangeBudgets: changed.event,
    store,
    now,
    memory,
    reported: (work) => void work,
  });
  return {
    harness,
    memory,
    turn: async (text: string, total: number) => {
      harness.session.sendPrompt(text);
      await settle();
      harness.say('Done.');
      await harness.agent.end({ stopReason: 'end_turn', usage: { total, input: total, output: 0 } });
    },
    change: (next: unknown) => {
      budgets = decodeBudgets([next]);
      changed.fire();
    },
    useElsewhere: (rows: readonly UsageRow[]) => (others = rows),
    notices: () => harness.all('notice').flatMap(({ title }) => (/budget/.test(title) ? [title] : [])),
  };
}

suite('a session with a budget', () => {
  test('says once that most is used, and then asks', async () => {
    const { harness, turn, notices, change } = openWindow({ session: { tokens: 100 } });
    await turn('one', 70);
    assert.deepEqual(notices(), []);
    await turn('two', 12);
    await turn('three', 10);
    assert.deepEqual(notices(), ['Session budget: 82% used']);
    await turn('four', 10);
    harness.session.sendPrompt('five');
    assert.deepEqual([harness.agent.heard.length, harness.view.asksBudget], [4, true]);
    assert.equal(notices().length, 1);
    change({ session: { tokens: 200 } });
    assert.deepEqual([harness.agent.heard.at(-1), harness.view.asksBudget], ['prompt five', false]);
  });

  test('doesn’t say again a day later, in another window', async () => {
    const settings = { session: { tokens: 100 } };
    const first = openWindow(settings);
    await first.turn('one', 82);
    assert.deepEqual(first.notices(), ['Session budget: 82% used']);
    const later = openWindow(settings, first.memory);
    later.harness.clock.pass(24 * 60 * 60_000);
    await later.turn('two', 82);
    assert.deepEqual(later.notices(), []);
  });

  test('asks before the queue goes on', async () => {
    const { harness, notices } = openWindow({ day: { tokens: 50 } });
    harness.session.sendPrompt('begin');
    harness.session.sendPrompt('queued');
    harness.say('Done.');
    await harness.agent.end({ stopReason: 'end_turn', usage: { total: 60, input: 60, output: 0 } });
    assert.deepEqual([harness.agent.heard, harness.view.asksBudget], [['prompt begin'], true]);
    assert.deepEqual(notices(), ['Daily budget is used up']);
    harness.session.sendAnyway();
    await harness.agent.end();
    harness.session.sendPrompt('again');
    harness.session.sendAnyway();
    harness.say('Done.');
    await harness.agent.end({ stopReason: 'end_turn', usage: { total: 60, input: 60, output: 0 } });
    assert.equal(notices().length, 1);
  });

  test('counts the day with other windows, and each agent by name', async () => {
    const settings = { agents: { Claude: { day: { tokens: 100 } }, Codex: { day: { tokens: 1 } } } };
    const { harness, turn, useElsewhere, memory, notices } = openWindow(settings);
    const { agentId } = harness.view;
    const session = harness.session.key;
    const tokens = { total: 60, input: 60, output: 0 };
    useElsewhere(addTurn([], { at: 0, agentId, agentName: 'Claude', session, tokens }));
    await turn('one', 50);
    assert.equal(harness.view.budgets?.[0]?.used, 110);
    assert.equal(harness.view.budgets.length, 1);
    await settle();
    harness.session.sendPrompt('two');
    assert.equal(harness.view.asksBudget, true);
    // Another window of the same day doesn't say it again.
    assert.deepEqual(notices(), ['Daily budget for Claude is used up']);
    const other = openWindow(settings, memory);
    await other.turn('three', 100);
    assert.deepEqual(other.notices(), []);
  });
});
