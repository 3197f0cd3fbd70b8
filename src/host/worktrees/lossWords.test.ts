import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageWords, branchLossWords, folderLossWords, sizeWords } from './lossWords';

test('says what would be lost with a folder and with a branch', () => {
  const nothing = { uncommitted: [], overlooked: [], ignored: [], repositories: [], detached: 0 };
  const loss = {
    uncommitted: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    overlooked: ['local.json'],
    ignored: ['.env'],
    repositories: [{ path: 'web', kind: 'folder' as const }],
    detached: 3,
    unmerged: 1,
    unpushed: 2,
  };
  assert.deepEqual(folderLossWords(loss), [
    '7 uncommitted files: a, b, c, d, e, and 2 more',
    'Changed files that Git was told to overlook: local.json',
    'Files that Git ignores: .env',
    'Repositories inside it, with their files and commits: web',
    '3 commits that no branch has',
  ]);
  assert.deepEqual(branchLossWords(loss), ['1 commit that no other branch has', '2 commits that aren’t pushed']);
  assert.deepEqual(folderLossWords({ ...nothing, detached: 1 }), ['1 commit that no branch has']);
  assert.deepEqual(folderLossWords(nothing), []);
});

test('shows sizes and ages as people read them', () => {
  assert.deepEqual([0, 999, 1500, 25_400_000, 3e9].map(sizeWords), ['0 B', '999 B', '1.5 kB', '25 MB', '3.0 GB']);
  const day = 86_400_000;
  assert.deepEqual([5, day, 3 * day].map(ageWords), ['made today', 'made yesterday', 'made 3 days ago']);
});
