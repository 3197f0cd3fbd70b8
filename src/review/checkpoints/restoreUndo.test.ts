import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId, SessionKey } from '../../shared/values/ids';
import { recordTouch } from './checkpoint';
import type { StoredRef } from '../files/fileRef';
import { excessUndos, fromUndoJson, toUndoJson, undoRefs, type RestoreUndo } from './restoreUndo';

const ref = (hash: string, size = 10): StoredRef => ({ kind: 'stored', hash, size });

/** Returns the undo of a restore that wrote `first` over `own`, the result of two turns. */
function undoOf(name: string, madeAt: number, own = ref(`${name} own`)): RestoreUndo {
  const uri = 'file:///a';
  const touched = recordTouch([], 1, uri, { before: ref('first'), after: ref('second') });
  const removed = recordTouch(touched, 2, uri, { before: ref('second'), after: own, review: ref('waited') });
  const file = { restored: ref('first'), before: own, review: ref('knew') };
  const ids = { session: 's' as SessionKey, notice: name as EntryId };
  return { ...ids, name, madeAt, isOpen: true, files: new Map([[uri, file]]), removed };
}

const names = (undos: readonly RestoreUndo[]) => undos.map(({ name }) => name);

test('reads its own JSON', () => {
  const undo = undoOf('n', 5);
  const created = { restored: { kind: 'absent' }, before: ref('made') } as const;
  const both = { ...undo, isOpen: false, files: new Map([...undo.files, ['file:///b', created]]) };
  for (const one of [undo, both]) assert.deepEqual(fromUndoJson(JSON.parse(JSON.stringify(toUndoJson(one)))), one);
});

test('rejects damaged data and other versions', () => {
  const json = toUndoJson(undoOf('n', 5)) as Record<string, unknown>;
  assert.ok(fromUndoJson(json));
  for (const damage of [
    { version: 2 },
    { session: 7 },
    { notice: undefined },
    { name: null },
    { madeAt: 'now' },
    { files: {} },
    { files: [['file:///a', { restored: ref('x'), before: { kind: 'stored', hash: 'x' } }]] },
    { removed: [{ turn: 1 }] },
  ]) {
    assert.equal(fromUndoJson({ ...json, ...damage }), undefined, JSON.stringify(damage));
  }
  for (const other of [undefined, null, 'text', []]) assert.equal(fromUndoJson(other), undefined);
});

test('lists all contents it needs: files, pending changes, and earlier checkpoints', () => {
  const hashes = undoRefs(undoOf('n', 5)).map(({ hash }) => hash);
  assert.deepEqual(new Set(hashes), new Set(['n own', 'knew', 'first', 'second', 'waited']));
});

test('prunes the oldest, counts shared content once, and keeps the last', () => {
  const undos = [undoOf('c', 3), undoOf('a', 1), undoOf('b', 2)];
  assert.deepEqual(excessUndos(undos, { count: 3, size: 70 }), []);
  assert.deepEqual(names(excessUndos(undos, { count: 3, size: 69 })), ['a']);
  assert.deepEqual(names(excessUndos(undos, { count: 2, size: 1000 })), ['a']);
  assert.deepEqual(names(excessUndos(undos, { count: 3, size: 0 })), ['a', 'b']);
  // A small undo must not outlive a newer one.
  const large = undoOf('b', 2, ref('large', 500));
  assert.deepEqual(names(excessUndos([undoOf('a', 1, ref('c own')), large, undoOf('c', 3)], { count: 3, size: 100 })), [
    'a',
    'b',
  ]);
});
