import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyView } from '../../../test/unit-support/emptyView';
import { toolCall } from '../../../test/unit-support/toolCall';
import { applyOps, createTranscript } from './ops';
import { isWaitingForAnswer, maxQuestionDistance, oldestQuestion, wasRejected } from './openQuestion';
import type { Entry, ToolCallEntry } from './transcript';

const asked = { state: 'asked' } as ToolCallEntry['permission'];
const answered = (kind: string) => ({ state: 'answered', option: { kind } }) as ToolCallEntry['permission'];

test('only an open form and an asked call wait for an answer', () => {
  const form = (state: string) => ({ kind: 'elicitation', question: { state } }) as unknown as Entry;
  assert.deepEqual([form('asked'), form('answered')].map(isWaitingForAnswer), [true, false]);
  assert.equal(isWaitingForAnswer(toolCall('a', { permission: asked })), true);
  assert.equal(isWaitingForAnswer(toolCall('a', { permission: answered('allow_once') })), false);
  assert.equal(isWaitingForAnswer({ kind: 'notice', permission: asked } as unknown as Entry), false);
});

test('a rejected call counts as rejected unless it completed', () => {
  const rejected = answered('reject_once');
  for (const status of ['failed', 'cancelled', 'pending'] as const)
    assert.equal(wasRejected(toolCall('a', { permission: rejected, status })), true, status);
  for (const status of ['completed', 'in_progress'] as const)
    assert.equal(wasRejected(toolCall('a', { permission: rejected, status })), false, status);
  assert.equal(wasRejected(toolCall('a', { permission: answered('allow_once'), status: 'failed' })), false);
  assert.equal(wasRejected(toolCall('a', { permission: asked, status: 'failed' })), false);
});

test('finds the oldest open request within reach', () => {
  const transcript = createTranscript(emptyView);
  const insert = (id: string, isAsked = false) =>
    applyOps(transcript, [{ op: 'insert', entry: toolCall(id, isAsked ? { permission: asked } : {}) }]);
  insert('done');
  assert.equal(oldestQuestion(transcript), 1);
  insert('first', true);
  insert('second', true);
  assert.equal(oldestQuestion(transcript), 1);
  for (let n = 0; n < maxQuestionDistance - 1; n++) insert(`more ${n}`);
  assert.equal(oldestQuestion(transcript), 2);
});
