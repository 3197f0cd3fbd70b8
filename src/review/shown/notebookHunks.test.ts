import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentAuthor } from '../hunks/hunk';
import { hunksAsCells } from './notebookHunks';
import { hunksToShow } from '../hunks/reviewHunks';
import { ReviewLog } from '../log/reviewLog';

const agent = { kind: 'agent', agentName: 'A', session: 's', turn: 1 } as AgentAuthor;
const code = (source: readonly string[], outputs: readonly unknown[] = []) => ({ cell_type: 'code', outputs, source });
const notebook = (cells: readonly object[], language = 'python') =>
  `${JSON.stringify({ cells, metadata: { language_info: { name: language } }, nbformat: 4 }, undefined, 1)}\n`;

/** Returns what a page shows after an agent replaced `before` with `after`. */
function shown(before: string, after: string) {
  const log = new ReviewLog();
  log.track('file:///a.ipynb', { kind: 'text', text: before });
  log.agentEdit('file:///a.ipynb', { kind: 'text', text: after }, agent);
  const file = log.file('file:///a.ipynb') ?? assert.fail();
  const { text } = file.snapshot;
  return hunksAsCells(text, hunksToShow(text, new Set(file.hunks.map(({ id }) => id)), []));
}

test('shows lines of a cell without JSON, numbered within the cell', () => {
  const [hunk, ...others] = shown(
    notebook([code(['import os\n']), code(['a = "1"\n', 'b = 2\n', 'print(a)'])]),
    notebook([code(['import os\n']), code(['a = "1"\n', 'b = 3\n', 'print(a)'])]),
  );
  assert.deepEqual(others, []);
  assert.deepEqual(
    [hunk?.heading, hunk?.newLine, hunk?.before, hunk?.removed, hunk?.added, hunk?.after, hunk?.language],
    ['Cell 2', 2, ['a = "1"'], ['b = 2'], ['b = 3'], ['print(a)'], 'python'],
  );
});

test('a line that is no longer its cell’s last is unchanged', () => {
  const [hunk] = shown(notebook([code(['a\n', 'b'])]), notebook([code(['a\n', 'b\n', 'c'])]));
  assert.deepEqual([hunk?.before, hunk?.removed, hunk?.added, hunk?.newLine], [['a', 'b'], [], ['c'], 3]);
  const [shorter] = shown(notebook([code(['a\n', 'b\n', 'c'])]), notebook([code(['a\n', 'b'])]));
  assert.deepEqual([shorter?.before, shorter?.removed, shorter?.added], [['a', 'b'], ['c'], []]);
});

test('what follows a cell’s last line isn’t shown as its text', () => {
  const [hunk] = shown(notebook([code(['a\n', 'b']), code(['c'])]), notebook([code(['a\n', 'd']), code(['c'])]));
  assert.deepEqual([hunk?.before, hunk?.removed, hunk?.added, hunk?.after], [['a'], ['b'], ['d'], []]);
});

test('shows outputs as they are in the file', () => {
  const [output] = shown(notebook([code(['a'], ['"x",'])]), notebook([code(['a'], ['"y",'])]));
  assert.equal(output?.heading, 'Cell 1');
  assert.match(output.added.join(), /\\"y\\",/);
});

test('shows only the source of a cell that is new or removed', () => {
  const before = notebook([code(['a']), code(['d'])]);
  for (const place of [0, 1, 2]) {
    const cells: object[] = [code(['a']), code(['d'])];
    cells.splice(place, 0, { cell_type: 'markdown', metadata: {}, source: ['# New\n', 'text'] });
    const [added, ...rest] = shown(before, notebook(cells));
    assert.deepEqual(rest, []);
    assert.deepEqual(
      [added?.heading, added?.removed, added?.added, added?.newLine, added?.newEnd, added?.language],
      [`New cell ${place + 1}`, [], ['# New', 'text'], 1, 3, 'markdown'],
    );
    const [removed] = shown(notebook(cells), before);
    assert.deepEqual(
      [removed?.heading, removed?.removed, removed?.added],
      [`Removed cell ${place + 1}`, ['# New', 'text'], []],
    );
  }
});

test('takes no name of a language that cannot be one', () => {
  const [hunk] = shown(notebook([code(['a'])], '../x'), notebook([code(['b'])], '../x'));
  assert.deepEqual([hunk?.added, hunk?.language], [['b'], undefined]);
});

test('leaves the changes of other files as they are', () => {
  const [hunk] = shown('{"a": 1}\n', '{"a": 2}\n');
  assert.deepEqual([hunk?.removed, hunk?.added], [['{"a": 1}'], ['{"a": 2}']]);
});
