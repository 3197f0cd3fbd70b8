import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planProgress } from './planList';

test('counts completed items and ignores cancelled ones', () => {
  const item = (content: string, status: 'pending' | 'in_progress' | 'completed' | 'cancelled') =>
    ({ content, priority: 'medium', status }) as const;
  assert.deepEqual(planProgress([item('a', 'completed'), item('b', 'cancelled'), item('c', 'in_progress')]), {
    done: 1,
    total: 2,
    current: 'c',
  });
  assert.equal(planProgress([item('a', 'completed'), item('b', 'pending')]).current, 'b');
  assert.equal(planProgress([item('a', 'completed')]).current, 'All done');
  assert.equal(planProgress([]).total, 0);
});
