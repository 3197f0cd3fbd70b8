import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PageCell, PageTry } from '../../shared/triesPage';
import { leftFiles } from './cleanUpTries';

it('lists what would be lost, without what was taken alike', () => {
  const cell = (fields: Partial<PageCell> = {}): PageCell => ({ kind: 'changed', added: 1, removed: 0, ...fields });
  const rows = [
    { path: 'taken', cells: [cell({ taken: 'all' }), cell({ sameAs: 0 }), cell()] },
    { path: 'alike', cells: [cell(), cell({ sameAs: 0, taken: 'all' }), undefined] },
    { path: 'partly', cells: [undefined, cell({ taken: { count: 2, of: 3 } }), cell({ sameAs: 1 })] },
  ];
  const tries = [{}, {}, {}] as unknown as readonly PageTry[];
  const part = (path: string, isPartlyTaken = false) => ({ path, isPartlyTaken });
  assert.deepEqual(leftFiles({ tries, rows }), [[], [part('partly', true)], [part('taken'), part('partly')]]);
});
