import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, SessionKey } from '../../src/shared/values/ids';
import type { ToWebview } from '../../src/shared/pages/messages';
import { maxQuestionDistance } from '../../src/shared/transcript/openQuestion';
import {
  applyOps,
  coalesce,
  createTranscript,
  takeSnapshot,
  type MutableTranscript,
  type TranscriptOp,
} from '../../src/shared/transcript/ops';
import { emptyView } from '../../test/unit-support/emptyView';
import { asking, toolCall } from '../../test/page/samples';
import { Store } from './store';

const session = 's1' as SessionKey;

function message(id: string, text: string): TranscriptOp {
  return {
    op: 'insert',
    entry: { id: id as EntryId, turn: 1, kind: 'agent_message', content: [{ type: 'text', text }] },
  };
}

function snapshotOf(transcript: MutableTranscript, limit?: number): ToWebview {
  return { type: 'snapshot', session, snapshot: takeSnapshot(transcript, limit) };
}

/** Returns a small deterministic generator of numbers below `limit`. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

test('batches with merged ops lead to their stated revision', () => {
  const fetched: SessionKey[] = [];
  const store = new Store((key) => fetched.push(key));
  store.take(snapshotOf(createTranscript(emptyView)));
  const chunk: TranscriptOp = { op: 'appendText', id: 'a' as EntryId, block: 0, text: 'x' };
  const ops = [message('a', ''), chunk, chunk, chunk];
  store.take({ type: 'ops', session, from: 0, to: 4, ops: coalesce(ops) });
  assert.equal(store.transcript?.rev, 4);
  store.take({ type: 'ops', session, from: 4, to: 5, ops: [chunk] });
  assert.deepEqual(fetched, []);
  const entry = store.transcript.entries.get('a' as EntryId);
  assert.deepEqual(entry?.kind === 'agent_message' && entry.content, [{ type: 'text', text: 'xxxx' }]);
});

test('after a gap, requests the snapshot once and applies nothing before it', () => {
  const fetched: SessionKey[] = [];
  const applied: (readonly TranscriptOp[])[] = [];
  const store = new Store((key) => fetched.push(key));
  store.onDidApply((ops) => applied.push(ops));
  const host = createTranscript(emptyView);
  store.take(snapshotOf(host));
  store.take({ type: 'ops', session, from: 2, to: 3, ops: [message('c', '')] });
  store.take({ type: 'ops', session, from: 0, to: 1, ops: [message('a', '')] });
  assert.deepEqual(fetched, [session]);
  assert.deepEqual(applied, []);
  applyOps(host, [message('a', ''), message('b', ''), message('c', '')]);
  store.take(snapshotOf(host));
  store.take({ type: 'ops', session, from: 3, to: 4, ops: [message('d', '')] });
  assert.deepEqual(store.transcript?.order, ['a', 'b', 'c', 'd']);
  assert.deepEqual(fetched, [session]);
});

test('showing another session drops the old one and its late ops', () => {
  const store = new Store(() => assert.fail('nothing is to be fetched'));
  let shown = 0;
  store.onDidShow(() => shown++);
  store.take(snapshotOf(createTranscript(emptyView)));
  const page = { ...store.page, active: 's2' as SessionKey };
  store.take({ type: 'page', page });
  assert.equal(store.transcript, undefined);
  assert.equal(store.session, 's2');
  store.take({ type: 'ops', session, from: 0, to: 1, ops: [message('a', '')] });
  assert.equal(store.transcript, undefined);
  assert.equal(shown, 2);
});

test('prepends older entries once', () => {
  const host = createTranscript(emptyView);
  applyOps(host, [message('a', ''), message('b', ''), message('c', '')]);
  const store = new Store(() => undefined);
  const older: string[] = [];
  store.onDidGetOlder(({ entries }) => older.push(entries.map(({ id }) => id).join(' ')));
  store.take(snapshotOf(host, 1));
  assert.equal(store.omitted, 2);
  const entries = takeSnapshot(host).entries.slice(0, 2);
  store.take({ type: 'older', session, entries, omitted: 0 });
  store.take({ type: 'older', session, entries, omitted: 0 });
  assert.deepEqual(store.transcript?.order, ['a', 'b', 'c']);
  assert.deepEqual(older, ['a b']);
  assert.equal(store.omitted, 0);
});

test('a snapshot reaches back to a request, and missing ones are fetched', () => {
  const fetched: SessionKey[] = [];
  const host = createTranscript(emptyView);
  applyOps(host, [message('a', ''), { op: 'insert', entry: toolCall('b') }, message('c', ''), message('d', '')]);
  const store = new Store((key) => fetched.push(key));
  store.take(snapshotOf(host, 1));
  assert.deepEqual(store.transcript?.order, ['d']);
  const { permission } = asking('b');
  const asks: TranscriptOp = { op: 'patch', id: 'b' as EntryId, kind: 'tool_call', fields: { permission } };
  const ops = [message('e', ''), asks];
  applyOps(host, ops);
  store.take({ type: 'ops', session, from: 4, to: 6, ops });
  assert.deepEqual(fetched, [session]);
  store.take(snapshotOf(host, 1));
  assert.deepEqual(store.transcript.order, ['b', 'c', 'd', 'e']);
  assert.equal(store.omitted, 1);
  // The entry exists and asks again, or its request was settled, so there is nothing to fetch.
  const settled: TranscriptOp = { ...asks, fields: { permission: { state: 'cancelled' } } };
  applyOps(host, [asks, settled]);
  store.take({ type: 'ops', session, from: 6, to: 8, ops: [asks, settled] });
  assert.equal(store.transcript.rev, 8);
  store.take(snapshotOf(host, 1));
  assert.deepEqual(store.transcript.order, ['e']);
  store.take({ type: 'ops', session, from: 8, to: 9, ops: [settled] });
  assert.deepEqual(fetched, [session]);
});

test('a snapshot has a maximum length', () => {
  const host = createTranscript(emptyView);
  const many = Array.from({ length: maxQuestionDistance }, (_, at) => message(`m${at}`, ''));
  applyOps(host, [{ op: 'insert', entry: asking('b') }, ...many.slice(1)]);
  assert.equal(takeSnapshot(host, 400).omitted, 0);
  applyOps(host, [message('z', '')]);
  assert.equal(takeSnapshot(host, 400).entries.length, 400);
});

test('matches the host after lost, doubled, and late batches, 200 times', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const next = numbers(seed);
    const host = createTranscript(emptyView);
    const wanted = { snapshot: false };
    const store = new Store(() => {
      wanted.snapshot = true;
    });
    store.take(snapshotOf(host));
    for (let step = 0; step < 40; step++) {
      const from = host.rev;
      const last = host.order.at(-1);
      const ops = Array.from({ length: 1 + next(4) }, (_, at): TranscriptOp => {
        if (last !== undefined && next(3) > 0) return { op: 'appendText', id: last, block: 0, text: `${step}.${at} ` };
        return next(5) === 0
          ? { op: 'view', fields: { title: `title ${step}` } }
          : message(`e${step}-${at}`, `start ${step} `);
      });
      applyOps(host, ops);
      const batch: ToWebview = { type: 'ops', session, from, to: host.rev, ops: coalesce(ops) };
      const fate = next(8);
      if (fate > 0) store.take(batch);
      if (fate === 1) store.take(batch);
      if (wanted.snapshot && next(2) === 0) {
        wanted.snapshot = false;
        store.take(snapshotOf(host));
      }
    }
    const from = host.rev;
    applyOps(host, [message('end', '')]);
    store.take({ type: 'ops', session, from, to: host.rev, ops: [message('end', '')] });
    if (wanted.snapshot) store.take(snapshotOf(host));
    assert.ok(store.transcript);
    assert.deepEqual(takeSnapshot(store.transcript), takeSnapshot(host), `seed ${seed}`);
  }
});

test('fetches dropped entries again and ignores earlier responses', () => {
  const store = new Store(() => assert.fail('nothing is to be fetched'));
  const host = createTranscript(emptyView);
  applyOps(
    host,
    Array.from({ length: 30 }, (_, at) => message(`m${at}`, 'Text')),
  );
  const entriesOf = (start: number, end: number) =>
    host.order.slice(start, end).flatMap((id) => host.entries.get(id) ?? []);
  store.take(snapshotOf(host, 20));
  assert.deepEqual(store.trim(5), host.order.slice(10, 25));
  assert.equal(store.omitted, 25);
  store.take({ type: 'older', session, entries: entriesOf(0, 10), omitted: 0 });
  assert.deepEqual(store.transcript?.order, host.order.slice(25), 'These entries don’t adjoin.');
  store.take({ type: 'older', session, entries: entriesOf(15, 25), omitted: 15 });
  assert.deepEqual(store.transcript.order, host.order.slice(15));
  assert.equal(store.omitted, 15);
});
