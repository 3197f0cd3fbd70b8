import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mementoOf } from '../../../test/unit-support/memento';
import { folderMemory, rememberedFolders } from './folderMemory';

test('remembers a worktree’s folder until it is forgotten', async () => {
  const values = new Map<string, string>();
  const memory = folderMemory(mementoOf(values));
  const folder = { common: '/shop/.git', path: '/shop.worktrees/fix', branch: 'parley/fix', device: '1', number: '2' };
  await memory.set('a1', folder);
  assert.deepEqual(folderMemory(mementoOf(values)).get('a1'), folder);
  assert.deepEqual(rememberedFolders(mementoOf(values)), [folder.path]);
  assert.equal(memory.get('b2'), undefined);
  await memory.set('a1', { ...folder, device: 3 as unknown as string });
  assert.equal(memory.get('a1'), undefined);
  await memory.set('a1', undefined);
  assert.equal(memory.get('a1'), undefined);
});
