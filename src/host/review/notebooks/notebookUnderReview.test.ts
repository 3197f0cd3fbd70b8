import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CellChange, ReviewedNotebook } from '../../../review/shown/notebookChanges';
import type { TextCell } from '../../../review/hunks/notebookText';
import { changesAt } from './notebookUnderReview';

const change = (kind: CellChange['kind'], index: number): CellChange => ({ kind, index, hunks: [] });
const review = (count: number, changes: readonly CellChange[]): ReviewedNotebook => ({
  cells: Array.from({ length: count }, () => ({}) as TextCell),
  changes,
});

test('a cell shows its own changes and those of cells deleted there', () => {
  const changes = [change('removed', 0), change('changed', 0), change('added', 1), change('removed', 2)];
  assert.deepEqual(changesAt(review(3, changes), 0), changes.slice(0, 2));
  assert.deepEqual(changesAt(review(3, changes), 1), changes.slice(2, 3));
});

test('the last cell shows the cells deleted after it', () => {
  const changes = [change('removed', 2)];
  assert.deepEqual(changesAt(review(2, changes), 1), changes);
  assert.deepEqual(changesAt(review(2, changes), 0), []);
});
