import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, PlanId, RequestKey, SessionKey, ToolCallId } from '../src/shared/ids';
import type { SessionListing } from '../src/shared/messages';
import { applyOps, createTranscript, type TranscriptOp } from '../src/shared/ops';
import type { Plan, ToolCallEntry } from '../src/shared/transcript';
import { emptyView } from '../test/unit-support/emptyView';
import { OpenRequests } from './openRequests';
import { planProgress, PlansInTray } from './planStrip';
import { UnreadSessions } from './tabs';
import { TurnNews } from './turnNews';

const view = { ...emptyView, agentName: 'Tour agent' };

function call(id: string, fields: Partial<ToolCallEntry> = {}): ToolCallEntry {
  return {
    id: id as EntryId,
    turn: 1,
    kind: 'tool_call',
    toolCallId: id as ToolCallId,
    title: `Call ${id}`,
    toolKind: 'execute',
    status: 'pending',
    content: [],
    locations: [],
    permission: { state: 'none' },
    startedAt: 0,
    ...fields,
  };
}

const running: TranscriptOp = { op: 'view', fields: { activity: { state: 'running', since: 1 } } };
const waiting: TranscriptOp = { op: 'view', fields: { activity: { state: 'requires_action', since: 1 } } };
const idle: TranscriptOp = { op: 'view', fields: { activity: { state: 'idle' } } };
const asked: ToolCallEntry['permission'] = { state: 'asked', request: 'r' as RequestKey, options: [] };

/** Applies batches one after the other and collects what is said. */
function hear(...batches: readonly TranscriptOp[][]): (string | undefined)[] {
  const transcript = createTranscript(view);
  const news = new TurnNews();
  news.reset(transcript);
  return batches.map((ops) => {
    applyOps(transcript, ops);
    return news.follow(transcript, ops);
  });
}

test('a turn is told at its beginning and, with its counts, at its end', () => {
  const failed: TranscriptOp = { op: 'patch', id: 'a' as EntryId, kind: 'tool_call', fields: { status: 'failed' } };
  assert.deepEqual(
    hear([running], [{ op: 'insert', entry: call('a') }], [failed], [{ op: 'insert', entry: call('b') }], [idle]),
    [
      'Tour agent is working',
      undefined,
      'Tool call failed: Call a',
      undefined,
      'Tour agent is done: 2 tool calls, 1 failed',
    ],
  );
});

test('waiting for the user is no end of the turn, and a turn within one batch is told once', () => {
  assert.deepEqual(hear([running], [waiting], [running], [idle]), [
    'Tour agent is working',
    undefined,
    undefined,
    'Tour agent is done',
  ]);
  assert.deepEqual(hear([running, idle]), [undefined]);
});

test('a session that was already running when it was shown is not told to begin', () => {
  const transcript = createTranscript({ ...view, activity: { state: 'running', since: 1 } });
  const news = new TurnNews();
  news.reset(transcript);
  assert.equal(news.follow(transcript, []), undefined);
});

test('open requests are counted as they come and go', () => {
  const transcript = createTranscript(view);
  const requests = new OpenRequests();
  const follow = (...ops: TranscriptOp[]) => {
    applyOps(transcript, ops);
    return requests.follow(transcript, ops);
  };
  assert.equal(follow({ op: 'insert', entry: call('a', { permission: asked }) }), true);
  assert.equal(follow({ op: 'insert', entry: call('b') }), false);
  assert.equal(follow({ op: 'patch', id: 'b' as EntryId, kind: 'tool_call', fields: { permission: asked } }), true);
  assert.equal(requests.count, 2);
  assert.equal(
    follow({ op: 'patch', id: 'a' as EntryId, kind: 'tool_call', fields: { permission: { state: 'cancelled' } } }),
    true,
  );
  assert.equal(requests.count, 1);
  const form = { kind: 'elicitation', id: 'f' as EntryId, turn: 1, message: 'Go?' } as const;
  const ask = { mode: 'form', fields: [] } as const;
  const open = { ...form, question: { state: 'asked', request: 'q' as RequestKey, ask } } as const;
  assert.equal(follow({ op: 'insert', entry: open }), true);
  assert.equal(requests.count, 2);
  assert.equal(follow({ op: 'replace', entry: { ...form, question: { state: 'declined' } } }), true);
  assert.equal(requests.count, 1);
  assert.equal(follow({ op: 'truncate', from: 'a' as EntryId }), true);
  assert.equal(requests.count, 0);
  requests.reset(undefined);
  assert.equal(requests.count, 0);
});

test('progress counts what is done of what still counts', () => {
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

test('a plan that is done stays until the next turn, a plan that is not stays longer', () => {
  const done: Plan = {
    planId: 'p' as PlanId,
    type: 'items',
    items: [{ content: 'a', priority: 'low', status: 'completed' }],
  };
  const open: Plan = { ...done, planId: 'q' as PlanId, items: [{ content: 'b', priority: 'low', status: 'pending' }] };
  const transcript = createTranscript({ ...view, plans: [done, open] });
  const plans = new PlansInTray();
  plans.reset(transcript);
  applyOps(transcript, [{ op: 'insert', entry: call('a') }]);
  assert.deepEqual(plans.visible(transcript), [done, open]);
  applyOps(transcript, [{ op: 'insert', entry: call('b', { turn: 2 }) }]);
  assert.deepEqual(plans.visible(transcript), [open]);
});

test('a session whose turn ended out of sight is unread until it is shown', () => {
  const a = 'a' as SessionKey;
  const b = 'b' as SessionKey;
  const listing = (session: SessionKey, state: SessionListing['state']): SessionListing => ({
    session,
    title: '',
    agentName: '',
    state,
  });
  const unread = new UnreadSessions();
  unread.follow([listing(a, 'running'), listing(b, 'running')], a);
  unread.follow([listing(a, 'idle'), listing(b, 'idle')], a);
  assert.deepEqual([...unread.all], [b]);
  unread.follow([listing(a, 'idle'), listing(b, 'idle')], b);
  assert.deepEqual([...unread.all], []);
});
