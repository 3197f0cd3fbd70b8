import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeRecord } from './worktreeRecord';

const id = 'a'.repeat(40);
const fields = { path: process.cwd(), branch: 'parley/fix', base: id, from: '/shop', createdAt: 5 };

test('a note has only ids of commits where Git would read options', () => {
  assert.deepEqual(decodeRecord('0', JSON.stringify(fields)), { id: '0', ...fields });
  const option = '--output=/home/user/.bashrc';
  const damaged = [{ base: option }, { brought: option }, { saved: { commit: option, before: id } }];
  for (const one of damaged) assert.equal(decodeRecord('0', JSON.stringify({ ...fields, ...one })), undefined);
});
