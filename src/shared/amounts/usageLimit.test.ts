import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentLimits, limitName, resetTime, resetWords, timeUntil, withLimit, type UsageLimit } from './usageLimit';

const minute = 60_000;
const hour = 60 * minute;
/** Noon, so that an hour more is the same day in every time zone. */
const now = new Date(2026, 4, 13, 12, 0).getTime();

test('a near reset has its weekday, a later one its date', () => {
  const time = (at: number) => resetTime(at, now, 'en-US').replace(/\s/g, ' ');
  assert.equal(time(now + hour), '1:00 PM');
  assert.equal(time(now + 24 * hour), 'Thu 12:00 PM');
  assert.equal(time(now + 6 * 24 * hour - minute), 'Tue 11:59 AM');
  // A week later has the same weekday as today.
  assert.equal(time(now + 6 * 24 * hour), 'May 19, 12:00 PM');
});

test('the words for a reset name the day only if needed', () => {
  const words = (at: number) => resetWords(at, now, 'en-US').replace(/\s/g, ' ');
  assert.equal(words(now + 47 * minute), 'resets at 12:47 PM, in 47 min');
  assert.equal(words(now + 24 * hour), 'resets Thu 12:00 PM, in 24 h');
});

test('the time until a reset is rounded to a readable unit', () => {
  assert.equal(timeUntil(now - hour, now), '1 min');
  assert.equal(timeUntil(now + 61_000, now), '2 min');
  assert.equal(timeUntil(now + 89 * minute, now), '89 min');
  assert.equal(timeUntil(now + 90 * minute, now), '2 h');
  assert.equal(timeUntil(now + 47 * hour, now), '47 h');
  assert.equal(timeUntil(now + 48 * hour, now), '2 days');
});

test('a limit replaces its earlier report until its reset', () => {
  const limit = (type: string, resetsAt?: number): UsageLimit => ({
    type,
    state: 'ok',
    ...(resetsAt === undefined ? {} : { resetsAt }),
  });
  const limits = [limit('five_hour', now + 1), limit('overage'), limit('seven_day', now)];
  assert.deepEqual(currentLimits(limits, now), limits.slice(0, 2));
  assert.deepEqual(withLimit(limits, limit('five_hour', now + hour), now), [
    limit('overage'),
    limit('five_hour', now + hour),
  ]);
});

test('limits that an agent reports have names', () => {
  assert.equal(limitName('five_hour'), '5-hour limit');
  assert.equal(limitName('seven_day_overage_included'), 'Weekly limit');
  assert.equal(limitName('seven_day_opus'), 'Weekly limit for Opus');
  assert.equal(limitName('seven_day_sonnet'), 'Weekly limit for Sonnet');
  assert.equal(limitName('overage'), 'Extra usage limit');
  assert.equal(limitName('other'), 'Usage limit');
});
