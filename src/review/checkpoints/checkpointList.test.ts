import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromCheckpointsJson, toCheckpointsJson } from './checkpointData';
import { pruneSessions, storedHashes, storedSize, withFiles, withoutFiles } from './checkpointList';
import { planRestore, recordTouch, recordUnknown, type Checkpoint } from './checkpoint';
import type { FileRef, StoredRef } from '../files/fileRef';

function ref(hash: string, size = 10): StoredRef {
  return { kind: 'stored', hash, size };
}

function touch(list: readonly Checkpoint[], turn: number, uri: string, before: FileRef): Checkpoint[] {
  return recordTouch(list, turn, uri, { before, after: ref(`${uri} after ${turn}`) });
}

const turns = (list: readonly Checkpoint[] | undefined) => list?.map(({ turn }) => turn);

test('counts content shared by several checkpoints once', () => {
  const list = touch(touch(touch([], 1, 'a', ref('shared', 60)), 1, 'b', ref('alone', 30)), 2, 'c', ref('shared', 60));
  assert.equal(storedSize(list), 90);
  assert.deepEqual(storedHashes(list), ['shared', 'alone']);
});

test('counts the pending changes from before a turn as content', () => {
  const file = { before: ref('before', 5), after: ref('after') };
  const list = recordTouch(recordTouch([], 1, 'a', { ...file, review: ref('waited', 7) }), 1, 'a', file);
  assert.deepEqual([storedHashes(list), storedSize(list)], [['before', 'waited'], 12]);
  assert.deepEqual(fromCheckpointsJson(JSON.parse(JSON.stringify(toCheckpointsJson('agent', 's', list)))), list);
});

test('prunes the oldest checkpoints of the least recently used session first', () => {
  const old = touch(touch([], 1, 'a', ref('a', 60)), 2, 'b', ref('b', 30));
  const young = touch([], 1, 'c', ref('c', 40));
  const all = new Map([
    ['old', old],
    ['young', young],
  ]);
  assert.deepEqual(pruneSessions(all, 130), all);
  const left = pruneSessions(all, 129);
  assert.deepEqual([turns(left.get('old')), turns(left.get('young'))], [[2], [1]]);
  assert.deepEqual([...pruneSessions(all, 0).values()], [[], []]);
});

test('removes restored files from undone turns, and puts them back on undo', () => {
  let list = touch(touch([], 1, 'a', ref('a0')), 2, 'a', ref('a1'));
  list = recordUnknown(touch(touch(list, 2, 'b', ref('b0')), 3, 'a', ref('a2')), 3, 'x');
  const { checkpoints, removed } = withoutFiles(list, 2, new Set(['a']));
  assert.deepEqual(
    checkpoints.map(({ turn, files, unrecorded }) => [turn, [...files.keys()], unrecorded]),
    [
      [1, ['a'], []],
      [2, ['b'], []],
      [3, [], ['x']],
    ],
  );
  const later = touch(checkpoints, 4, 'c', ref('c0'));
  const back = withFiles(later, removed, new Set(['a']));
  assert.deepEqual(turns(back), [1, 2, 3, 4]);
  assert.deepEqual(back[1]?.files.get('a'), list[1]?.files.get('a'));
  assert.deepEqual(withFiles(later, removed, new Set()), later);
});

test('restoring further back does not conflict with work done after a restore', () => {
  const list = touch(touch([], 1, 'a', ref('a0')), 2, 'a', ref('a after 1'));
  const { checkpoints } = withoutFiles(list, 2, new Set(['a']));
  const next = touch(checkpoints, 3, 'a', ref('a after 1'));
  const { steps } = planRestore(next, 1, new Map([['a', ref('a after 3')]]));
  assert.deepEqual(steps, [{ uri: 'a', action: 'write', ref: ref('a0') }]);
});

test('reads its own JSON and rejects anything else', () => {
  const list = recordUnknown(touch([], 1, 'a', { kind: 'absent' }), 2, 'x');
  const json: unknown = JSON.parse(JSON.stringify(toCheckpointsJson('agent', 'session', list)));
  assert.deepEqual(fromCheckpointsJson(json), list);
  for (const other of [
    undefined,
    [],
    { version: 2, turns: [] },
    { version: 1, turns: [{ turn: 1, files: [['a', {}]] }] },
  ]) {
    assert.equal(fromCheckpointsJson(other), undefined);
  }
});
