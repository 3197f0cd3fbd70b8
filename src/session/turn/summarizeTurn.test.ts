import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { toStored } from '../transcript/storedSession';
import { hasStoredShape } from '../transcript/storedShape';

const usage = { total: 15_200, input: 12_000, output: 3200 };

/** The entries with a summary, and the summaries. */
const summaries = ({ session }: SessionHarness) =>
  session.transcript.order.flatMap((id) => {
    const entry = session.transcript.entries.get(id);
    return entry?.turnSummary ? [[entry.kind, entry.turn, entry.turnSummary] as const] : [];
  });

const spend = (harness: SessionHarness, amount: number, currency = 'USD') =>
  harness.update({ sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount, currency } });

suite('the summary of a turn', () => {
  test('has the turn’s share of totals that the agent reports', async () => {
    const harness = new SessionHarness().open();
    for (const total of [1000, 2500, 4200, 7000]) {
      harness.session.sendPrompt('Go on');
      harness.say('Done.');
      await harness.agent.end({ stopReason: 'end_turn', usage: { total, input: total, output: 0 } });
    }
    assert.deepEqual(
      summaries(harness).map(([, , { tokens }]) => tokens?.total),
      [1000, 1500, 1700, 2800],
    );
    assert.equal(harness.view.spent?.total, 7000);
  });

  test('leaves out costs that are impossible', async () => {
    const harness = new SessionHarness().open();
    for (const [amount, currency] of [
      [-1000, 'USD'],
      [1, 'U\u202eSD'],
      [1e308, 'EUR'],
    ] as const) {
      harness.session.sendPrompt('Go on');
      harness.say('Done.');
      spend(harness, amount, currency);
      await harness.agent.end();
    }
    assert.deepEqual(
      summaries(harness).map(([, , { cost }]) => cost),
      [undefined, undefined, undefined],
    );
    assert.deepEqual(harness.view.usage, {
      state: 'known',
      used: 10,
      size: 100,
      cost: { amount: 1e12, currency: 'EUR' },
    });
  });

  test('is stored on the last entry with only reported facts', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('Fix my notes');
    harness.say('Done.');
    harness.clock.pass(5000);
    await harness.agent.end({ stopReason: 'end_turn', usage });
    harness.session.sendPrompt('And now?');
    harness.say('Nothing.');
    await harness.agent.end();
    const expected = [
      ['agent_message', 1, { startedAt: 1000, endedAt: 6000, tokens: usage }],
      ['agent_message', 2, { startedAt: 6000, endedAt: 6000 }],
    ];
    assert.deepEqual(summaries(harness), expected);
    const stored = JSON.parse(JSON.stringify(toStored(harness.session.key, harness.session.transcript))) as ReturnType<
      typeof toStored
    >;
    assert.ok(hasStoredShape(stored));
    assert.deepEqual(summaries(new SessionHarness('Codex', stored)), expected);
  });

  test('makes a stored session invalid if it is damaged', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('Fix my notes');
    await harness.agent.end({ stopReason: 'end_turn', usage });
    const text = JSON.stringify(toStored(harness.session.key, harness.session.transcript));
    assert.ok(hasStoredShape(JSON.parse(text)));
    assert.ok(!hasStoredShape(JSON.parse(text.replace('"tokens":{"total":15200', '"tokens":{"total":"many"'))));
  });

  test('of a stopped turn is on its notice', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('Fix my notes');
    harness.say('Well');
    harness.session.cancel();
    await harness.agent.end('cancelled');
    assert.deepEqual(
      summaries(harness).map(([kind, turn, { brokenBy }]) => [kind, turn, brokenBy]),
      [['notice', 1, 'stopped']],
    );
  });

  test('of a failed turn is on its error card', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('Fix my notes');
    harness.say('Well');
    harness.clock.pass(2000);
    await harness.agent.fail(new Error('no'));
    assert.deepEqual(summaries(harness), [['error', 1, { startedAt: 1000, endedAt: 3000, brokenBy: 'failed' }]]);
  });

  test("of an exited agent's turn is on the exit card", () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('Fix my notes');
    harness.say('Well');
    harness.session.agentSide.disconnected({ code: 'agentExited', title: 'Codex exited', actions: [] });
    assert.deepEqual(
      summaries(harness).map(([kind, turn, { brokenBy }]) => [kind, turn, brokenBy]),
      [['error', 1, 'failed']],
    );
  });

  test('mentions the limit that cut off the turn', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('Fix my notes');
    harness.say('Well');
    await harness.agent.end({ stopReason: 'max_tokens', usage });
    assert.deepEqual(
      summaries(harness).map(([kind, , { brokenBy, tokens }]) => [kind, brokenBy, tokens]),
      [['notice', 'cutOff', usage]],
    );
  });

  test("shows the turn's cost as a difference of session costs", async () => {
    const harness = new SessionHarness().open();
    const turn = async (...report: readonly (() => unknown)[]) => {
      harness.session.sendPrompt('Go on');
      harness.say('Yes.');
      for (const one of report) one();
      await harness.agent.end();
      return summaries(harness).at(-1)?.[2].cost;
    };
    assert.deepEqual(await turn(() => spend(harness, 0.1)), { amount: 0.1, currency: 'USD' });
    assert.deepEqual(await turn(() => spend(harness, 0.3)), { amount: 0.2, currency: 'USD' });
    assert.equal(await turn(), undefined);
    assert.equal(await turn(() => spend(harness, 0.5, 'EUR')), undefined);
  });

  test('has no cost if the cost before the turn is unknown', async () => {
    const harness = new SessionHarness().open();
    for (const report of [() => undefined, () => spend(harness, 4)]) {
      harness.session.sendPrompt('Go on');
      harness.say('Yes.');
      report();
      await harness.agent.end();
    }
    assert.deepEqual(
      summaries(harness).map(([, , { cost }]) => cost),
      [undefined, undefined],
    );
  });

  test('has the model with which the turn started', async () => {
    const harness = new SessionHarness().open();
    const select = (currentValue: string) =>
      harness.update({
        sessionUpdate: 'config_option_update',
        configOptions: [
          {
            id: 'model',
            name: 'Model',
            category: 'model',
            type: 'select',
            currentValue,
            options: [
              { value: 'o', name: 'Opus' },
              { value: 's', name: 'Sonnet' },
            ],
          },
        ],
      });
    select('o');
    harness.session.sendPrompt('Go on');
    harness.say('Yes.');
    select('s');
    await harness.agent.end();
    assert.equal(summaries(harness)[0]?.[2].model, 'Opus');
  });

  test('has the model that Claude says it uses', async () => {
    const harness = new SessionHarness().open();
    const choices = [
      { value: 'default', name: 'Default' },
      { value: 'opus', name: 'Opus 5.5' },
      { value: 'sonnet[1m]', name: 'Sonnet 5.5' },
    ];
    const model = { id: 'model', name: 'Model', category: 'model', type: 'select', currentValue: 'default' };
    const configOptions = [{ ...model, options: choices }];
    harness.update({ sessionUpdate: 'config_option_update', configOptions });
    const told = async (...ids: readonly unknown[]) => {
      harness.session.sendPrompt('Go on');
      harness.say('Yes.');
      for (const id of ids) {
        // As recorded from the agent.
        const _meta = { '_claude/model': id };
        harness.update({ sessionUpdate: 'usage_update', used: 1235, size: 1000000, _meta });
      }
      await harness.agent.end();
      return summaries(harness).at(-1)?.[2].model;
    };
    assert.equal(await told('claude-opus-5-5'), 'Opus 5.5');
    assert.equal(await told('claude-opus-5-5', 'claude-sonnet-5-5'), 'Sonnet 5.5');
    assert.equal(await told('claude-fable-5-1'), 'claude-fable-5-1');
    assert.equal(await told(), 'Default');
    assert.equal(await told('', 7, ' '), 'Default');
  });
});
