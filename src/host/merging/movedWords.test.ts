import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorktreeRecord } from '../../worktree/made/worktreeRecord';
import { movedNotice } from './movedWords';
import type { StayingFile } from './movedChanges';

const record = { path: '/work/project.fix', branch: 'fix' } as WorktreeRecord;
const moved = (files: number, staying: readonly StayingFile[] = [], remembers: boolean | 'unknown' = true) =>
  movedNotice('Goose', {
    created: { record, notes: [] },
    changes: { moved: Array.from({ length: files }), staying },
    remembers: remembers === 'unknown' ? undefined : remembers,
  });

test('a moved session says where it works and what moved', () => {
  assert.deepEqual(moved(0), {
    severity: 'info',
    title: 'This session now works in the worktree “project.fix”',
    description: 'Branch fix, in /work/project.fix. Your own edits stay here.',
  });
  assert.equal(moved(1).title, 'Moved the changes in 1 file to the worktree “project.fix”');
  assert.equal(moved(3).title, 'Moved the changes in 3 files to the worktree “project.fix”');
});

test('a moved session warns of what stays, ten files at most', () => {
  const staying = Array.from({ length: 12 }, (_, at): StayingFile => ({ path: `f${at}`, reason: 'ignored' }));
  const notice = moved(1, staying);
  assert.equal(notice.severity, 'warning');
  const lines = notice.description?.split('\n') ?? [];
  assert.equal(lines[1], 'f0 is ignored by Git, so its changes stay here.');
  assert.deepEqual(lines.slice(10), ['f9 is ignored by Git, so its changes stay here.', 'And 2 more.']);
  assert.doesNotMatch(moved(1, staying.slice(0, 10)).description ?? '', /more/);
});

test('a moved session warns if its conversation may be lost', () => {
  assert.match(moved(1, [], false).description ?? '', /^Goose couldn’t reopen the conversation there\./m);
  assert.equal(moved(1, [], false).severity, 'warning');
  assert.equal(moved(1, [], 'unknown').severity, 'warning');
  assert.equal(moved(1, [], true).severity, 'info');
});
