import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { PlanId } from '../../src/shared/ids';
import { applyOps, createTranscript } from '../../src/shared/ops';
import type { Plan } from '../../src/shared/transcript';
import { emptyView } from '../../test/unit-support/emptyView';
import { toolCall } from '../../test/unit-support/toolCall';
import { planProgress, PlansInTray } from './planStrip';

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

test('removes a completed plan at the next turn, others later', () => {
  const done: Plan = {
    planId: 'p' as PlanId,
    type: 'items',
    items: [{ content: 'a', priority: 'low', status: 'completed' }],
  };
  const open: Plan = { ...done, planId: 'q' as PlanId, items: [{ content: 'b', priority: 'low', status: 'pending' }] };
  const transcript = createTranscript({ ...emptyView, plans: [done, open] });
  const plans = new PlansInTray();
  plans.reset(transcript);
  applyOps(transcript, [{ op: 'insert', entry: toolCall('a') }]);
  assert.deepEqual(plans.visible(transcript), [done, open]);
  applyOps(transcript, [{ op: 'insert', entry: toolCall('b', { turn: 2 }) }]);
  assert.deepEqual(plans.visible(transcript), [open]);
});
