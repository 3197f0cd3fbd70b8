import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, PlanId } from '../../src/shared/values/ids';
import { applyOps, createTranscript } from '../../src/shared/transcript/ops';
import type { Plan } from '../../src/shared/transcript/transcript';
import { emptyView } from '../../test/unit-support/emptyView';
import { toolCall } from '../../test/unit-support/toolCall';
import { PlansInTray } from './planStrip';

const open: Plan = {
  planId: 'p' as PlanId,
  type: 'items',
  items: [{ content: 'a', priority: 'low', status: 'pending' }],
};
const line = (turn: number) => ({ kind: 'plan', id: `plan:p@${turn}` as EntryId, turn, planId: open.planId }) as const;

test('a plan belongs to its turn, whether or not it is completed', () => {
  const transcript = createTranscript({ ...emptyView, plans: [open] });
  const plans = new PlansInTray();
  applyOps(transcript, [{ op: 'insert', entry: line(1) }]);
  applyOps(transcript, [{ op: 'insert', entry: toolCall('a') }]);
  assert.deepEqual(plans.visible(transcript), [open]);
  applyOps(transcript, [{ op: 'insert', entry: toolCall('b', { turn: 2 }) }]);
  assert.deepEqual(plans.visible(transcript), []);
});

test('a finished plan leaves the tray with its turn', () => {
  const done: Plan = { ...open, items: [{ content: 'a', priority: 'low', status: 'completed' }] };
  const transcript = createTranscript({ ...emptyView, plans: [done], activity: { state: 'running', since: 1 } });
  const plans = new PlansInTray();
  applyOps(transcript, [{ op: 'insert', entry: line(1) }]);
  assert.deepEqual(plans.visible(transcript), [done]);
  applyOps(transcript, [{ op: 'view', fields: { activity: { state: 'idle' } } }]);
  assert.deepEqual(plans.visible(transcript), []);
  applyOps(transcript, [{ op: 'view', fields: { plans: [open] } }]);
  assert.deepEqual(plans.visible(transcript), [open], 'One with something left stays.');
});

test('shows a plan in the tray again once it changes later', () => {
  const transcript = createTranscript({ ...emptyView, plans: [open] });
  const plans = new PlansInTray();
  applyOps(transcript, [{ op: 'insert', entry: line(1) }]);
  applyOps(transcript, [{ op: 'insert', entry: toolCall('b', { turn: 2 }) }]);
  assert.deepEqual(plans.visible(transcript), []);
  const changed = { ...open };
  applyOps(transcript, [
    { op: 'view', fields: { plans: [changed] } },
    { op: 'insert', entry: line(2) },
  ]);
  assert.deepEqual(plans.visible(transcript), [changed]);
});

test("keeps a plan in the tray if its line isn't loaded", () => {
  const transcript = createTranscript({ ...emptyView, plans: [open] });
  applyOps(transcript, [{ op: 'insert', entry: toolCall('a') }]);
  assert.deepEqual(new PlansInTray().visible(transcript), [open]);
});
