import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { addTokens, spentTokens, type TokenCounts, type TurnUsage } from '../../shared/amounts/turnUsage';
import { ReportedTotals } from './reportedTotals';

const of = (total: number, output = 0): TurnUsage => ({ total, input: total - output, output });

/** Returns what is counted for each report, and for the session. `restart` stands for a new connection. */
function counted(reports: readonly (TurnUsage | 'restart')[], agentId = 'my-agent') {
  const totals = new ReportedTotals();
  const turns: number[] = [];
  let spent: TokenCounts | undefined;
  for (const report of reports) {
    if (report === 'restart') {
      totals.restart();
      continue;
    }
    const turn = totals.turnOf(report, agentId, spent);
    const counts = turn && spentTokens(turn);
    turns.push(counts?.total ?? 0);
    if (counts) spent = spent ? addTokens(spent, counts) : counts;
  }
  return { turns, spent: spent?.total };
}

suite('tokens that an agent reports at the end of a turn', () => {
  test('are those of the session so far if they never fall', () => {
    assert.deepEqual(counted([1000, 2500, 4200, 7000].map((total) => of(total))), {
      turns: [1000, 1500, 1700, 2800],
      spent: 7000,
    });
    // A turn that used nothing.
    assert.deepEqual(counted([of(1000), of(1000), of(1500)]), { turns: [1000, 0, 500], spent: 1500 });
  });

  test('are those of the turn once one falls, without a loss', () => {
    assert.deepEqual(counted([of(3000), of(1000), of(2000), of(4000)]), {
      turns: [3000, 1000, 2000, 4000],
      spent: 10_000,
    });
    assert.equal(counted([of(1000), of(1500), of(1800), of(900), of(2000)]).spent, 7200);
    // The input grows with the conversation, but the answer is shorter.
    assert.equal(counted([of(1000, 300), of(1500, 100), of(1800, 50)]).spent, 4300);
  });

  test('are what the agent is known to report', () => {
    const growing = [of(1000, 10), of(1500, 20), of(2500, 30)];
    assert.deepEqual(counted(growing, 'claude-acp').turns, [1000, 1500, 2500]);
    assert.deepEqual(counted(growing, 'github-copilot-cli').turns, [1000, 500, 1000]);
    // It counts from the beginning.
    assert.deepEqual(
      counted([...growing, of(400, 5), of(900, 9)], 'github-copilot-cli').turns,
      [1000, 500, 1000, 400, 500],
    );
  });

  test('go on or begin again after the agent was started again', () => {
    assert.equal(counted([of(1000), of(2500), 'restart', of(4000)]).spent, 4000);
    assert.equal(counted([of(1000), of(2500), 'restart', of(700), of(1200)]).spent, 3700);
    assert.deepEqual(counted([of(1000), 'restart', of(1500)], 'claude-acp').turns, [1000, 1500]);
  });

  test('are told apart by model, too', () => {
    const report = (a: number, b: number): TurnUsage => ({
      ...of(a + b),
      models: [
        { ...of(a), model: 'a' },
        { ...of(b), model: 'b' },
      ],
    });
    const totals = new ReportedTotals();
    assert.deepEqual(totals.turnOf(report(10, 5), 'x', undefined), report(10, 5));
    assert.deepEqual(totals.turnOf(report(30, 5), 'x', of(15)), { ...of(20), models: [{ ...of(20), model: 'a' }] });
  });
});
