import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '../../../session/session';
import { Emitter } from '../../../shared/values/event';
import { tourAgentId, type AgentId } from '../../../shared/values/ids';
import { TourEnd } from './tourEnd';

/** A session whose activity and plan the test sets, and the notices it got. */
function play(agentId: AgentId, ...steps: readonly [state: 'idle' | 'running', ...statuses: string[]][]): number {
  const changed = new Emitter<void>();
  const entries = new Map<string, unknown>();
  const view = { agentId, activity: { state: 'idle' }, plans: [] as unknown[] };
  const session = {
    transcript: { view, entries },
    addNotice: (notice: object) => {
      entries.set(`notice ${entries.size}`, { kind: 'notice', ...notice });
      changed.fire();
    },
  } as unknown as Session;
  const end = new TourEnd({ sessions: [session], onDidChangeSessions: changed.event });
  changed.fire();
  for (const [state, ...statuses] of steps) {
    view.activity = { state };
    view.plans = statuses.length === 0 ? [] : [{ type: 'items', items: statuses.map((status) => ({ status })) }];
    changed.fire();
  }
  end.dispose();
  return entries.size;
}

test('a finished tour ends with one offer', () => {
  const done = [
    ['running', 'in_progress', 'pending'],
    ['idle', 'completed', 'completed'],
  ] as const;
  assert.equal(play(tourAgentId, ...done.map((step) => [...step] as ['idle', ...string[]])), 1);
  const twice = [...done, ...done].map((step) => [...step] as ['idle', ...string[]]);
  assert.equal(play(tourAgentId, ...twice), 1, 'A second tour of the same session offers nothing more.');
});

test('makes no offer during the tour or for other agents', () => {
  assert.equal(play(tourAgentId, ['running', 'completed']), 0, 'The turn is still running.');
  assert.equal(play(tourAgentId, ['running'], ['idle']), 0, 'A turn without a plan is no tour.');
  assert.equal(play(tourAgentId, ['running', 'completed'], ['idle', 'completed', 'in_progress']), 0, 'It was stopped.');
  assert.equal(play('settings:Claude' as AgentId, ['running', 'completed'], ['idle', 'completed']), 0);
  assert.equal(play(tourAgentId, ['idle', 'completed']), 0, 'A restored session says nothing new.');
});
