import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId, SessionId, ToolCallId } from '../../../src/shared/values/ids';
import { createTranscript } from '../../../src/shared/transcript/ops';
import type { Entry, SessionView, ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { Rows } from './rows';

const call = (id: string, fields: Partial<ToolCallEntry> = {}): Entry => ({
  id: id as EntryId,
  turn: 1,
  kind: 'tool_call',
  toolCallId: id as ToolCallId,
  title: id,
  toolKind: 'read',
  status: 'completed',
  content: [],
  locations: [],
  permission: { state: 'none' },
  startedAt: 0,
  ...fields,
});
const words = (id: string, text = id, subagent?: SessionId): Entry => ({
  id: id as EntryId,
  turn: 1,
  kind: 'agent_message',
  content: [{ type: 'text', text }],
  ...(subagent === undefined ? {} : { subagent }),
});

function transcriptOf(entries: readonly Entry[]) {
  const transcript = createTranscript({} as SessionView);
  for (const entry of entries) {
    transcript.order.push(entry.id);
    transcript.entries.set(entry.id, entry);
  }
  return transcript;
}

function rowsOf(entries: readonly Entry[]): Rows {
  const rows = new Rows();
  rows.rebuild(transcriptOf(entries));
  return rows;
}

/** The rows with what is below them: `a b(c d)`. */
function shape({ all }: Rows): string {
  return all
    .map(({ id, below }) => (below.length === 0 ? id : `${id}(${below.map((one) => one.id).join(' ')})`))
    .join(' ');
}

const parent = 'b' as ToolCallId;

test('shows calls below their parent call at any depth', () => {
  const rows = rowsOf([
    words('a'),
    call('b'),
    call('c', { parent }),
    call('d', { parent: 'c' as ToolCallId }),
    words('e'),
  ]);
  assert.equal(shape(rows), 'a b(c d) e');
  assert.equal(rows.get('d' as EntryId)?.id, 'b');
  assert.equal(rows.own('d' as EntryId)?.id, 'd');
  assert.equal(rows.parentOf('b' as EntryId), undefined);
});

test("shows a subagent's entries below its row once that exists", () => {
  const child = words('c', 'c', 's' as SessionId);
  const row: Entry = {
    id: 's' as EntryId,
    turn: 1,
    kind: 'subagent',
    sessionId: 's' as SessionId,
    title: 'Look around',
    canCancel: false,
    state: 'idle',
    startedAt: 0,
  };
  const rows = rowsOf([child, words('e')]);
  assert.equal(shape(rows), 'c e');
  rows.rebuild(transcriptOf([row, child, words('e')]));
  assert.equal(shape(rows), 's(c) e');
});

test("shows calls that are each other's parents as rows", () => {
  const rows = rowsOf([
    call('a', { parent }),
    call('b', { parent: 'a' as ToolCallId }),
    call('c', { parent: 'c' as ToolCallId }),
  ]);
  assert.equal(
    rows.all.reduce((sum, { below }) => sum + 1 + below.length, 0),
    3,
  );
});

test('a rebuilt row keeps its height and visibility', () => {
  const rows = rowsOf([words('a'), words('b')]);
  const [, second] = rows.all;
  Object.assign(second ?? {}, { height: 333, isShown: true });
  rows.rebuild(transcriptOf([words('x'), words('a'), words('b')]));
  assert.equal(rows.all[2], second);
  assert.equal(second?.index, 2);
  assert.equal(rows.all[0]?.isShown, false);
});

test('groups only adjacent finished reads and searches', () => {
  const rows = rowsOf([call('a'), call('b'), call('c', { status: 'in_progress' }), words('d')]);
  const [a, b, c, d] = rows.all;
  assert.deepEqual([rows.mayPart(a, b), rows.mayPart(b, c), rows.mayPart(c, d)], [false, true, true]);
});

test('expects longer text to be higher, less so on wide pages', () => {
  const rows = rowsOf([words('a', 'x'.repeat(100)), words('b', 'x'.repeat(4000))]);
  const wide = new Rows();
  wide.width = 1200;
  wide.rebuild(transcriptOf([words('b', 'x'.repeat(4000))]));
  const [short, long] = rows.all.map(({ height }) => height);
  assert.ok((short ?? 0) < (long ?? 0) && (wide.all[0]?.height ?? 0) < (long ?? 0));
});
