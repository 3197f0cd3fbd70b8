import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, TerminalId } from '../../../src/shared/values/ids';
import { applyOps, createTranscript, type TranscriptOp } from '../../../src/shared/transcript/ops';
import type { TurnBreak } from '../../../src/shared/amounts/turnSummary';
import { emptyView } from '../../../test/unit-support/emptyView';
import { toolCall } from '../../../test/unit-support/toolCall';
import { TurnNews } from './turnNews';

const view = { ...emptyView, agentName: 'Tour agent' };
const running: TranscriptOp = { op: 'view', fields: { activity: { state: 'running', since: 1 } } };
const waiting: TranscriptOp = { op: 'view', fields: { activity: { state: 'requires_action', since: 1 } } };
const idle: TranscriptOp = { op: 'view', fields: { activity: { state: 'idle' } } };
const ended = (brokenBy?: TurnBreak): TranscriptOp => ({
  op: 'summarize',
  id: 'a' as EntryId,
  summary: { startedAt: 1, endedAt: 2, ...(brokenBy ? { brokenBy } : {}) },
});

/** Applies batches one by one and collects the announcements. */
function announcements(...batches: readonly TranscriptOp[][]): (string | undefined)[] {
  const transcript = createTranscript(view);
  const news = new TurnNews();
  news.reset(transcript);
  return batches.map((ops) => {
    applyOps(transcript, ops);
    return news.follow(transcript, ops);
  });
}

test('announces work that continues after its turn, and its end', () => {
  const lateWork = [{ kind: 'command', terminal: 't' as TerminalId, turn: 1, since: 1 }] as const;
  assert.deepEqual(
    announcements(
      [running],
      [{ op: 'view', fields: { activity: { state: 'idle' }, lateWork } }, ended()],
      [{ op: 'view', fields: { title: 'Other' } }],
      [{ op: 'view', fields: { lateWork: [] } }],
    ),
    [
      'Tour agent is working',
      'Tour agent is done. 1 command is still running',
      undefined,
      'Nothing is running anymore',
    ],
  );
});

test("announces a turn's start, and its end with counts", () => {
  const failed: TranscriptOp = { op: 'patch', id: 'a' as EntryId, kind: 'tool_call', fields: { status: 'failed' } };
  assert.deepEqual(
    announcements(
      [running],
      [{ op: 'insert', entry: toolCall('a') }],
      [failed],
      [{ op: 'insert', entry: toolCall('b') }],
      [idle, ended()],
    ),
    [
      'Tour agent is working',
      undefined,
      'Tool call failed: Call a',
      undefined,
      'Tour agent is done: 2 tool calls, 1 failed',
    ],
  );
});

test('announces how many files a turn changed', () => {
  const edit = (id: string, path: string) =>
    toolCall(id, { status: 'completed', content: [{ type: 'diff', path, oldText: 'a', newText: 'b' }] });
  const insert = (id: string, path: string): TranscriptOp => ({ op: 'insert', entry: edit(id, path) });
  assert.equal(
    announcements([running, insert('a', '/w/a.ts'), insert('b', '/w/b.ts')], [idle, ended()]).at(-1),
    'Tour agent is done: changed 2 files',
  );
  const failed: TranscriptOp = { op: 'insert', entry: toolCall('c', { status: 'failed' }) };
  assert.equal(
    announcements([running, insert('a', '/w/a.ts'), failed], [idle, ended()]).at(-1),
    'Tour agent is done: changed 1 file, 1 tool call failed',
  );
});

test('announces a turn once and does not treat waiting as its end', () => {
  assert.deepEqual(announcements([running], [waiting], [running], [idle, ended()]), [
    'Tour agent is working',
    undefined,
    undefined,
    'Tour agent is done',
  ]);
  assert.deepEqual(announcements([running, idle]), [undefined]);
});

test('announces how a turn ended as soon as its summary says so', () => {
  const after = (brokenBy?: TurnBreak) =>
    announcements([running], [idle], [ended(brokenBy)], [ended(brokenBy)]).slice(1);
  assert.deepEqual(after(), [undefined, 'Tour agent is done', undefined]);
  assert.deepEqual(after('stopped'), [undefined, 'Tour agent was stopped', undefined]);
  assert.deepEqual(after('cutOff'), [undefined, 'Tour agent was cut off', undefined]);
  assert.deepEqual(after('failed'), [undefined, 'Tour agent couldn’t finish', undefined]);
});

test('does not announce a turn that was already running', () => {
  const transcript = createTranscript({ ...view, activity: { state: 'running', since: 1 } });
  const news = new TurnNews();
  news.reset(transcript);
  assert.equal(news.follow(transcript, []), undefined);
});

test('announces a failed call during a turn but not in a replay', () => {
  const insert: TranscriptOp = { op: 'insert', entry: toolCall('a', { status: 'failed' }) };
  const news = new TurnNews();
  const idle = createTranscript(view);
  news.reset(idle);
  applyOps(idle, [insert]);
  assert.equal(news.follow(idle, [insert]), undefined);
  const running = createTranscript({ ...view, activity: { state: 'running', since: 0 } });
  assert.equal(news.follow(running, []), 'Tour agent is working');
  applyOps(running, [insert]);
  assert.equal(news.follow(running, [insert]), 'Tool call failed: Call a');
  const path = '/workspace/src/retry.ts';
  const edit = toolCall('b', { title: `Edit \`${path}\``, toolKind: 'edit', status: 'failed', locations: [{ path }] });
  const another: TranscriptOp = { op: 'insert', entry: edit };
  applyOps(running, [another]);
  assert.equal(news.follow(running, [another]), 'Tool call failed: retry.ts', 'named as its row names it');
});
