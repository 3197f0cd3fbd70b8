import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { mementoOf } from '../../../test/unit-support/memento';
import { Emitter } from '../../shared/values/event';
import { LimitNotices } from './limitNotices';

const resetsAt = 1_795_720_800;

test('most of a limit used is said once until it resets', () => {
  const memory = mementoOf();
  let isOn = true;
  let now = (resetsAt - 3600) * 1000;
  const openWindow = () => {
    const harness = new SessionHarness().open();
    const pool = { sessions: [harness.session], onDidChangeSessions: new Emitter<void>().event };
    const notices = new LimitNotices({ pool, isOn: () => isOn, now: () => now, memory });
    const report = (limit: object) =>
      harness.update({
        sessionUpdate: 'usage_update',
        used: 1,
        size: 2,
        _meta: { '_claude/rateLimit': { status: 'allowed', rateLimitType: 'five_hour', resetsAt, ...limit } },
      });
    return { notices, report, titles: () => harness.all('notice').map(({ title }) => title) };
  };
  const first = openWindow();
  first.report({ utilization: 0.7 });
  assert.deepEqual(first.titles(), []);
  first.report({ utilization: 0.82, status: 'allowed_warning' });
  first.report({ utilization: 0.9, status: 'allowed_warning' });
  // A limit that is used up has a card.
  first.report({ rateLimitType: 'seven_day', status: 'rejected' });
  assert.deepEqual(first.titles(), ['Codex: 5-hour limit 82% used']);
  const second = openWindow();
  second.report({ utilization: 0.95 });
  assert.deepEqual(second.titles(), []);
  second.report({ rateLimitType: 'seven_day_opus', utilization: 0.8, resetsAt: resetsAt + 9 });
  assert.deepEqual(second.titles(), ['Codex: Weekly limit for Opus 80% used']);
  now = resetsAt * 1000;
  isOn = false;
  second.report({ utilization: 0.85, resetsAt: resetsAt + 18_000 });
  isOn = true;
  second.report({ utilization: 0.86, resetsAt: resetsAt + 18_000 });
  assert.equal(second.titles().at(-1), 'Codex: 5-hour limit 86% used');
  first.notices.dispose();
});
