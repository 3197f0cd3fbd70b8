import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyView } from '../test/unit-support/emptyView';
import type { EntryId, ToolCallId } from '../src/shared/ids';
import { applyOps, createTranscript, type TranscriptOp } from '../src/shared/ops';
import type { ToolCallEntry } from '../src/shared/transcript';
import { TurnNews } from './turnNews';

const failed: ToolCallEntry = {
  ...{ kind: 'tool_call', id: 't' as EntryId, turn: 1, toolCallId: 'c' as ToolCallId, title: 'npm test' },
  ...{ toolKind: 'execute', status: 'failed', content: [], locations: [], permission: { state: 'none' }, startedAt: 0 },
};
const insert: TranscriptOp = { op: 'insert', entry: failed };

test('a call that fails is told while a turn runs, and not when it is replayed', () => {
  const news = new TurnNews();
  const idle = createTranscript(emptyView);
  news.reset(idle);
  applyOps(idle, [insert]);
  assert.equal(news.follow(idle, [insert]), undefined);
  const running = createTranscript({ ...emptyView, activity: { state: 'running', since: 0 } });
  assert.equal(news.follow(running, []), `${emptyView.agentName} is working`);
  applyOps(running, [insert]);
  assert.equal(news.follow(running, [insert]), 'Tool call failed: npm test');
});
