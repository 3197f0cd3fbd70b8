import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRestore, recordRename, recordTouch, recordUnknown, type Checkpoint } from './checkpoint';
import type { FileRef } from '../files/fileRef';

const absent: FileRef = { kind: 'absent' };

function ref(hash: string, size = 10): FileRef {
  return { kind: 'stored', hash, size };
}

/** Returns three turns: the first creates `b`, the second changes `a`, and the third changes `a` and deletes `b`. */
function story(): Checkpoint[] {
  let list: Checkpoint[] = [];
  list = recordTouch(list, 1, 'b', { before: absent, after: ref('b1') });
  list = recordTouch(list, 2, 'a', { before: ref('a0'), after: ref('a1') });
  list = recordTouch(list, 2, 'a', { before: ref('a1'), after: ref('a2') });
  list = recordTouch(list, 3, 'a', { before: ref('a2'), after: ref('a3') });
  return recordTouch(list, 3, 'b', { before: ref('b1'), after: absent });
}

test("records the state before a turn's first write and after its last", () => {
  const second = story().find(({ turn }) => turn === 2);
  assert.deepEqual(second?.files.get('a'), { before: ref('a0'), after: ref('a2') });
});

test('restores the files of all later turns and nothing else', () => {
  const { steps } = planRestore(story(), 2, new Map([['a', ref('a3')]]));
  assert.deepEqual(steps, [
    { uri: 'a', action: 'write', ref: ref('a0') },
    { uri: 'b', action: 'write', ref: ref('b1') },
  ]);
});

test('leaves matching files alone and deletes files that did not exist', () => {
  const present = new Map([
    ['a', ref('a0')],
    ['b', ref('b1')],
  ]);
  const back = planRestore(story(), 3, new Map([['a', ref('a3')]]));
  assert.deepEqual(
    back.steps.map(({ action }) => action),
    ['write', 'write'],
  );
  const { steps } = planRestore(story().slice(0, 2), 1, present);
  assert.deepEqual(steps, [
    { uri: 'a', action: 'none', ref: ref('a0') },
    { uri: 'b', action: 'delete', ref: absent },
  ]);
});

test('restores late writes with their own turn or a later one', () => {
  let list = recordTouch([], 2, 'a', { before: ref('a0'), after: ref('a1') });
  list = recordTouch(list, 3, 'a', { before: ref('a1'), after: ref('a2') });
  // The first turn hasn't written this file before, and the second has.
  for (const turn of [1, 2]) {
    const late = recordTouch(list, turn, 'a', { before: ref('a2'), after: ref('late') });
    const present = new Map([['a', ref('late')]]);
    for (const [to, expected] of [
      [1, 'a0'],
      [2, 'a0'],
      [3, 'a1'],
    ] as const) {
      const { steps } = planRestore(late, to, present);
      assert.deepEqual(steps, [{ uri: 'a', action: 'write', ref: ref(expected) }], `turn ${turn} to ${to}`);
    }
  }
});

test('reports changes by the user before it overwrites them', () => {
  const { steps } = planRestore(story(), 2, new Map([['a', ref('mine')]]));
  assert.equal(steps[0]?.conflict, 'editedSince');
  assert.equal(steps[1]?.conflict, undefined);
  const between = recordTouch(story(), 4, 'a', { before: ref('mine'), after: ref('a4') });
  const present = new Map([['a', ref('a4')]]);
  assert.equal(planRestore(between, 2, present).steps[0]?.conflict, 'editedBetween');
  assert.equal(planRestore(between, 4, present).steps[0]?.conflict, undefined);
});

test('treats different permission bits as a difference', () => {
  const executable: FileRef = { kind: 'stored', hash: 'a', size: 1, mode: 0o755 };
  const plain: FileRef = { kind: 'stored', hash: 'a', size: 1, mode: 0o644 };
  const secret: FileRef = { ...plain, permissions: 0o600 };
  const list = recordTouch([], 1, 'a', { before: plain, after: executable });
  assert.equal(planRestore(list, 1, new Map([['a', executable]])).steps[0]?.action, 'write');
  const shared: FileRef = { ...plain, permissions: 0o644 };
  const opened = recordTouch([], 1, 'a', { before: secret, after: shared });
  assert.deepEqual(planRestore(opened, 1, new Map([['a', shared]])).steps[0]?.ref, secret);
});

test('lists files without recorded content and excludes them from the restore', () => {
  let list = recordUnknown([], 1, 'big');
  list = recordTouch(list, 1, 'big', { before: ref('wrong'), after: ref('big1') });
  list = recordTouch(list, 2, 'big', { before: ref('big1'), after: ref('big2') });
  const present = new Map([['big', ref('big2')]]);
  assert.deepEqual(planRestore(list, 1, present), { steps: [], unrecorded: ['big'] });
  assert.deepEqual(planRestore(list, 2, present).steps, [{ uri: 'big', action: 'write', ref: ref('big1') }]);
  const known = recordTouch([], 1, 'a', { before: ref('a0'), after: ref('a1') });
  assert.deepEqual(recordUnknown(known, 1, 'a'), known);
});

test("the user's edits between a turn's writes conflict, even after a rename", () => {
  let list = recordTouch([], 1, 'a', { before: ref('a0'), after: ref('a1') });
  list = recordTouch(list, 1, 'a', { before: ref('edited'), after: absent, isEdited: true });
  list = recordTouch(list, 1, 'b', { before: absent, after: ref('edited') });
  list = recordRename(list, 1, ['a', 'b']);
  const { steps } = planRestore(list, 1, new Map([['b', ref('edited')]]));
  assert.deepEqual(
    steps.map(({ uri, conflict }) => [uri, conflict]),
    [
      ['a', 'editedBetween'],
      ['b', 'editedBetween'],
    ],
  );
});
