import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, RequestKey } from '../../../src/shared/values/ids';
import { applyOps, createTranscript, type TranscriptOp } from '../../../src/shared/transcript/ops';
import type { ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { emptyView } from '../../../test/unit-support/emptyView';
import { toolCall } from '../../../test/unit-support/toolCall';
import { OpenRequests } from './openRequests';

const asked: ToolCallEntry['permission'] = { state: 'asked', request: 'r' as RequestKey, options: [] };

test('counts open requests as they open and close', () => {
  const transcript = createTranscript(emptyView);
  const requests = new OpenRequests();
  const follow = (...ops: TranscriptOp[]) => {
    applyOps(transcript, ops);
    return requests.follow(transcript, ops);
  };
  assert.equal(follow({ op: 'insert', entry: toolCall('a', { permission: asked }) }), true);
  assert.equal(follow({ op: 'insert', entry: toolCall('b') }), false);
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
