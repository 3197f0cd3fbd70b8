import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { draftName, removeLeftDrafts } from './drafts';

test('removes drafts of killed windows and keeps those of running ones', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-drafts-'));
  const folder = join(root, 'one');
  const ended = spawn(process.execPath, ['-e', '']);
  await once(ended, 'exit');
  const uuid = '123e4567-e89b-42d3-a456-426614174000';
  const [own, left, old, stale] = [draftName(), `.tmp-${ended.pid}-${uuid}`, `.tmp-${uuid}`, draftName()];
  for (const name of [own, left, old, stale, '1.0.0']) await mkdir(join(folder, name, 'content'), { recursive: true });
  const before = new Date(Date.now() - 2 * 86_400_000);
  await utimes(join(folder, stale), before, before);
  await removeLeftDrafts(root);
  assert.deepEqual((await readdir(folder)).sort(), ['1.0.0', own, old].sort());
  await removeLeftDrafts(join(root, 'missing'));
  await rm(root, { recursive: true });
});
