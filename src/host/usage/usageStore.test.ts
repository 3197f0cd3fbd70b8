import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { readTraffic, TrafficPlayer } from '../../../test/unit-support/playTraffic';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { Emitter } from '../../shared/values/event';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import { dayBefore, dayOf, type UsedTurn } from '../../usage/usageDays';
import { reportOf } from '../../usage/usageReport';
import { untold } from '../storage/storageTroubles';
import { CountTurns } from './countTurns';
import { UsageStore } from './usageStore';

const now = new Date(2026, 10, 26, 18).getTime();
const turn = (at: number): UsedTurn => ({
  at,
  agentId: 'claude' as AgentId,
  agentName: 'Claude',
  session: 's1' as SessionKey,
  tokens: { total: 15, input: 12, output: 3 },
});
const newFolder = (context: TestContext) => join(tempFolder(context), 'usage');
const storeIn = (folder: string, window: string) =>
  new UsageStore(folder, { now: () => now, troubles: untold }, window);
const totalOf = async (store: UsageStore) =>
  (await store.days()).flatMap(({ rows }) => rows).reduce((sum, { total }) => sum + total, 0);

suite('the usage of all windows', () => {
  test('adds up, and is there in the next window', async (context) => {
    const folder = newFolder(context);
    const [first, second] = [storeIn(folder, 'w1'), storeIn(folder, 'w2')];
    first.add(turn(now));
    first.add(turn(now));
    second.add(turn(now));
    await Promise.all([first.flushNow(), second.flushNow()]);
    assert.deepEqual(await Promise.all([first, second, storeIn(folder, 'w3')].map(totalOf)), [45, 45, 45]);
    assert.deepEqual(readdirSync(folder).sort(), ['2026-11-26.w1.json', '2026-11-26.w2.json']);
    assert.equal((await second.today()).length, 1);
    // A turn that ends when the window closes is on disk at once.
    first.add(turn(now));
    assert.equal(await totalOf(storeIn(folder, 'w4')), 60);
  });

  test('is kept for a year, and damaged files are set aside', async (context) => {
    const folder = newFolder(context);
    const store = storeIn(folder, 'w1');
    const old = new Date(2025, 10, 24, 12).getTime();
    for (const at of [now, old]) store.add(turn(at));
    await store.flushNow();
    writeFileSync(join(folder, '2026-11-25.w9.json'), '{"version":1,"day":');
    writeFileSync(join(folder, '2026-11-24.w9.json'), '{"version":2,"day":"2026-11-24"}');
    const next = storeIn(folder, 'w2');
    await next.prune();
    assert.equal(await totalOf(next), 15);
    const left = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    assert.deepEqual(left.map(({ name }) => name).sort(), ['2026-11-24.w9.json', '2026-11-26.w1.json']);
    assert.equal(dayOf(old), dayBefore(now, 367));
  });
});

test('costs that aren’t numbers leave the rest of a day', async (context) => {
  const folder = newFolder(context);
  const store = storeIn(folder, 'w1');
  for (const amount of [0.25, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1000, 0.5]) {
    store.add({ ...turn(now), cost: { amount, currency: 'USD' } });
  }
  await store.flushNow();
  // As an earlier version, or somebody else, has written them.
  const name = join(folder, '2026-11-26.w1.json');
  const odd = ['1e999', '-1e999', 'null', '"many"', '-5', '0.125'].map(
    (amount) => `{"amount":${amount},"currency":"EUR"}`,
  );
  const text = readFileSync(name, 'utf8');
  writeFileSync(join(folder, '2026-11-26.w2.json'), text.replace(/"costs":\[.*?\]/, `"costs":[${odd.join(',')}]`));
  for (const read of [storeIn(folder, 'w3'), storeIn(folder, 'w4')]) {
    const [row, ...others] = await read.today();
    assert.deepEqual(others, []);
    assert.equal(row?.total, 180);
    assert.deepEqual(row.costs, [
      { amount: 0.75, currency: 'USD' },
      { amount: 0.125, currency: 'EUR' },
    ]);
  }
  assert.deepEqual(readdirSync(folder).sort(), ['2026-11-26.w1.json', '2026-11-26.w2.json']);
});

/** All numbers of tokens in the ends of turns and requests, as they are on the wire. */
function wireTotal(text: string): number {
  let sum = 0;
  for (const line of text.split('\n')) {
    const rows = /"model_usage":(\[.*?\}\}?\])/.exec(line)?.[1];
    const counts = rows ?? /"usage":(\{[^}]*\}),"durationMs"/.exec(line)?.[1] ?? '';
    const totals = [...counts.matchAll(/"totalTokens":(\d+)/g)];
    const parts = totals.length > 0 ? totals : [...counts.matchAll(/"(?:in|out)put_tokens":(\d+)/g)];
    sum += parts.reduce((all, [, count]) => all + Number(count), 0);
  }
  return sum;
}

suite('sums equal those of the wire', () => {
  /* Of the real agents as they are recorded, and of rarer cases in the same shapes. */
  const expected = {
    'recorded-usage-claude': 3912,
    'recorded-usage-codex': 3702,
    'recorded-usage-gemini': 3702,
    'recorded-usage-qwen': 3814,
    'usage-claude': 29_141,
    'usage-codex': 6385,
    'usage-gemini': 6485,
    'usage-qwen': 4392,
  };
  for (const [agent, total] of Object.entries(expected)) {
    test(`of ${agent}`, async (context) => {
      const text = readFileSync(join('test', 'fixtures', 'traffic', `${agent}.ndjson`), 'utf8');
      const player = new TrafficPlayer(agent);
      const store = storeIn(newFolder(context), 'w1');
      const changed = new Emitter<void>();
      const pool = { sessions: [player.test.session], onDidChangeSessions: changed.event };
      const counting = new CountTurns(
        pool,
        () => now,
        (used) => store.add({ ...used, at: now }),
      );
      await player.play(readTraffic(text));
      const report = reportOf(await store.days(), {
        range: 'week',
        now,
        budgets: [],
        prices: new Map(),
        titleOf: () => agent,
      });
      assert.equal(wireTotal(text), total);
      const [cost] = [...text.matchAll(/"cost":\{"amount":([\d.]+)/g)].slice(-1);
      assert.equal(report.total.costs[0]?.amount.toFixed(9), cost && Number(cost[1]).toFixed(9));
      assert.equal(report.total.tokens.total, total);
      assert.equal(player.test.view.spent?.total, total);
      for (const lines of Object.values(report.groups)) {
        assert.equal(
          lines.reduce((sum, { tokens }) => sum + tokens.total, 0),
          total,
        );
      }
      counting.dispose();
      // Nothing is written into the folder once it's removed.
      await store.flushNow();
      store.dispose();
    });
  }
});
