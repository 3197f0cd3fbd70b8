import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tryRows } from './tryTable';

const file = (path: string, content: string) => ({ path, kind: 'changed', content, added: 1, removed: 0 }) as const;

it('lists each file once and says which tries have the same content', () => {
  const rows = tryRows([[file('b', '1')], [file('a', '2'), file('b', '1')], [file('b', '3')]]);
  const cell = { kind: 'changed', added: 1, removed: 0 };
  assert.deepEqual(rows, [
    { path: 'a', cells: [undefined, cell, undefined] },
    { path: 'b', cells: [cell, { ...cell, sameAs: 0 }, cell] },
  ]);
});
