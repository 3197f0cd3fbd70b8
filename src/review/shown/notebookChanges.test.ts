import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellPieces } from '../hunks/cellPieces';
import { reviewNotebook } from './notebookChanges';
import { readNotebook } from '../hunks/notebookText';
import { ReviewLog } from '../log/reviewLog';
import { diffWithBreaks } from '../hunks/diffWithBreaks';
import { linesWithBreaks } from '../files/fileState';
import type { AgentAuthor } from '../hunks/hunk';

interface Cell {
  readonly id?: string;
  readonly source: string | readonly string[];
  readonly outputs?: readonly unknown[];
}

const notebook = (cells: readonly Cell[], indentation: number | string = 1) =>
  `${JSON.stringify({ cells: cells.map((cell) => ({ cell_type: 'code', ...cell })), nbformat: 4 }, undefined, indentation)}\n`;
const agent = { kind: 'agent', agentName: 'A', session: 's', turn: 1 } as AgentAuthor;

/** Returns the change of each cell after an agent replaced `before` with `after`. */
function changed(before: string, after: string) {
  const log = new ReviewLog();
  log.track('file:///a.ipynb', { kind: 'text', text: before });
  log.agentEdit('file:///a.ipynb', { kind: 'text', text: after }, agent);
  const { text } = log.file('file:///a.ipynb')?.snapshot ?? assert.fail();
  const found = reviewNotebook(text) ?? assert.fail('no notebook');
  return found.changes.map(({ kind, index, base }) => [kind, index, base?.source ?? '']);
}

test('finds cells and their lines in any surrounding JSON', () => {
  const text = notebook([
    { id: 'a', source: ['print("{[,\\\\")\n', 'x = "]}"'] },
    { source: 'y' },
    { source: [], outputs: [{ text: '"cells": [' }] },
  ]);
  const found = readNotebook(text) ?? assert.fail();
  assert.deepEqual(
    found.cells.map(({ source, id, hasOutputs }) => [source, id, hasOutputs]),
    [
      ['print("{[,\\\\")\nx = "]}"', 'a', false],
      ['y', undefined, false],
      ['', undefined, true],
    ],
  );
  const lines = text.split('\n');
  for (const { start, end } of found.cells) {
    assert.equal(lines[start]?.trim(), '{');
    assert.match(lines[end - 1] ?? '', /^\s*},?$/);
  }
  assert.deepEqual(
    readNotebook(notebook([{ source: 'a' }, { source: 'b' }], ''))?.cells.map(({ start }) => start),
    [0, 0],
  );
});

test('reads nothing from a text that is not a notebook', () => {
  for (const text of ['', '[]', 'null', '{}', '{"cells": 1}', '{"cells": [', '{"cells": [1], "cells": [1, 2]}']) {
    assert.equal(readNotebook(text), undefined, text);
  }
  assert.deepEqual(readNotebook('{"a": {"cells": [1]}, "b": [2, "]"], "cells": []}')?.cells, []);
  assert.equal(readNotebook('{"cells": [null, 7, {"source": 8}]}')?.cells.length, 3);
});

test('distinguishes changed, added, and removed cells', () => {
  const [a, b, c] = [
    { id: 'a', source: 'a' },
    { id: 'b', source: 'b' },
    { id: 'c', source: 'c' },
  ];
  assert.deepEqual(changed(notebook([a, b, c]), notebook([a, { ...b, source: 'B' }, c])), [['changed', 1, 'b']]);
  assert.deepEqual(changed(notebook([a, c]), notebook([a, b, c])), [['added', 1, '']]);
  assert.deepEqual(changed(notebook([a, b, c]), notebook([a, c])), [['removed', 1, 'b']]);
  assert.deepEqual(changed(notebook([a, b]), notebook([a])), [['removed', 1, 'b']]);
  assert.deepEqual(changed('', notebook([a])), [['added', 0, '']]);
  assert.deepEqual(changed(notebook([a, b]), notebook([a, { ...b, outputs: [1] }])), [['changed', 1, 'b']]);
});

test('matches cells without ids by content or position', () => {
  const cells = (...sources: string[]) => notebook(sources.map((source) => ({ source })));
  assert.deepEqual(changed(cells('a', 'b', 'c'), cells('a', 'B', 'c')), [['changed', 1, 'b']]);
  assert.deepEqual(changed(cells('a', 'b'), cells('a', 'n', 'm', 'b')), [
    ['added', 1, ''],
    ['added', 2, ''],
  ]);
});

test('turns the old list of cells into the new one', () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const pick = () =>
    Array.from({ length: random(6) }, () => ({
      ...(random(2) === 0 ? {} : { id: `i${random(5)}` }),
      source: `s${random(4)}`,
    }));
  for (let round = 0; round < 2000; round++) {
    const [one, other] = [pick(), pick()].map((cells) => readNotebook(notebook(cells))?.cells ?? assert.fail());
    assert.ok(one && other);
    const result = [...one];
    for (const { oldStart, oldEnd, newStart, newEnd } of cellPieces(one, other).reverse()) {
      result.splice(oldStart, oldEnd - oldStart, ...other.slice(newStart, newEnd));
    }
    assert.deepEqual(
      result.map(({ json }) => json),
      other.map(({ json }) => json),
    );
  }
});

test('keeps and undoes each cell separately, even if cells look alike', () => {
  const uri = 'file:///a.ipynb';
  const [a, b, c, n] = ['a', 'b', 'c', 'n'].map((id) => ({ id, source: `print(${id})`, outputs: [] }));
  assert.ok(a && b && c && n);
  const log = new ReviewLog();
  log.track(uri, { kind: 'text', text: notebook([a, b, c]) });
  log.agentEdit(uri, { kind: 'text', text: notebook([a, n, b]) }, agent);
  const found = () => reviewNotebook(log.file(uri)?.snapshot.text ?? assert.fail())?.changes ?? assert.fail();
  assert.deepEqual(
    found().map(({ kind, index }) => [kind, index]),
    [
      ['added', 1],
      ['removed', 3],
    ],
  );
  log.keep(uri, found()[0]?.hunks.map(({ id }) => id) ?? assert.fail());
  assert.deepEqual(log.file(uri)?.base, { kind: 'text', text: notebook([a, n, b, c]) });
  const plan = log.undo(uri, found()[0]?.hunks.map(({ id }) => id) ?? assert.fail());
  assert.deepEqual(plan?.result, { kind: 'text', text: notebook([a, n, b, c]) });
});

test('random notebooks have separate changes that produce the new lines', () => {
  let seed = 11;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const pick = () =>
    notebook(
      Array.from({ length: random(6) }, () => ({
        ...(random(2) === 0 ? {} : { id: `i${random(5)}` }),
        source: Array.from({ length: random(3) }, () => `s${random(3)}`),
      })),
      random(5),
    );
  for (let round = 0; round < 2000; round++) {
    const [one, other] = [pick(), pick()].map(linesWithBreaks);
    assert.ok(one && other);
    const changes = diffWithBreaks(one, other);
    for (const [index, change] of changes.entries()) {
      const before = changes[index - 1];
      assert.ok(before === undefined || (change.oldStart > before.oldEnd && change.newStart > before.newEnd));
    }
    const result = [...one];
    for (const { oldStart, oldEnd, newStart, newEnd } of [...changes].reverse()) {
      result.splice(oldStart, oldEnd - oldStart, ...other.slice(newStart, newEnd));
    }
    assert.deepEqual(result, other);
  }
});
