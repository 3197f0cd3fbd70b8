import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { writeRecord } from './worktreeRecord';

const record = { id: 'a1', path: '/w', branch: 'b', base: 'c', from: '/r', createdAt: 1 };

test('writes no note through a link of an agent', posixOnly, async (t) => {
  const folder = tempFolder(t);
  const [common, own] = [join(folder, 'common'), join(folder, 'own')];
  mkdirSync(own);
  mkdirSync(join(common, 'parley/worktrees'), { recursive: true });
  writeFileSync(join(own, 'file'), 'mine');
  for (const name of ['a1.json', 'a1.json.new']) symlinkSync(join(own, 'file'), join(common, 'parley/worktrees', name));
  await writeRecord({ common }, record);
  assert.equal(readFileSync(join(own, 'file'), 'utf8'), 'mine');
  const linked = join(folder, 'linked');
  mkdirSync(linked);
  symlinkSync(own, join(linked, 'parley'));
  await assert.rejects(writeRecord({ common: linked }, record), /isn’t a folder/);
  assert.deepEqual(readdirSync(own), ['file']);
});
