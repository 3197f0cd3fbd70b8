import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId, SessionKey } from '../shared/ids';
import { recordTouch } from './checkpoint';
import type { StoredRef } from './fileRef';
import { excessUndos, fromUndoJson, toUndoJson, undoRefs, type RestoreUndo } from './restoreUndo';

const ref = (hash: string, size = 10): StoredRef => ({ kind: 'stored', hash, size });

/** A restore that made `first` of `own`, which two turns had made of it. */
function undoOf(name: string, madeAt: number, own = ref(`${name} own`)): RestoreUndo {
  const uri = 'file:///a';
  const touched = recordTouch([], 1, uri, { before: ref('first'), after: ref('second') });
  const removed = recordTouch(touched, 2, uri, { before: ref('second'), after: own, review: ref('waited') });
  const file = { restored: ref('first'), before: own, review: ref('knew') };
  const ids = { session: 's' as SessionKey, notice: name as EntryId };
  return { ...ids, name, madeAt, isOpen: true, files: new Map([[uri, file]]), removed };
}

const names = (undos: readonly RestoreUndo[]) => undos.map(({ name }) => name);

test('an undo comes back from JSON as it was', () => {
  const undo = undoOf('n', 5);
  const created = { restored: { kind: 'absent' }, before: ref('made') } as const;
  const both = { ...undo, isOpen: false, files: new Map([...undo.files, ['file:///b', created]]) };
  for (const one of [undo, both]) assert.deepEqual(fromUndoJson(JSON.parse(JSON.stringify(toUndoJson(one)))), one);
});

test('what is damaged, or of another version, is none', () => {
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

test('it names all that it needs: what the files held, what waited in them, and what the turns before had found', () => {
  const hashes = undoRefs(undoOf('n', 5)).map(({ hash }) => hash);
  assert.deepEqual(new Set(hashes), new Set(['n own', 'knew', 'first', 'second', 'waited']));
});

test('the oldest are too many first, what they share counts once, and the last one always stays', () => {
  const undos = [undoOf('c', 3), undoOf('a', 1), undoOf('b', 2)];
  assert.deepEqual(excessUndos(undos, { count: 3, size: 70 }), []);
  assert.deepEqual(names(excessUndos(undos, { count: 3, size: 69 })), ['a']);
  assert.deepEqual(names(excessUndos(undos, { count: 2, size: 1000 })), ['a']);
  assert.deepEqual(names(excessUndos(undos, { count: 3, size: 0 })), ['a', 'b']);
  // One that is small does not outlive a newer one.
  const large = undoOf('b', 2, ref('large', 500));
  assert.deepEqual(names(excessUndos([undoOf('a', 1, ref('c own')), large, undoOf('c', 3)], { count: 3, size: 100 })), [
    'a',
    'b',
  ]);
});
