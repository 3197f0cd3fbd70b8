import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { useCaches } from './oldCaches';

const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 5, 1);

test('removes the caches of agents that were not started for 60 days', posixOnly, async (t) => {
  const [folder, outside] = [tempFolder(t), tempFolder(t)];
  writeFileSync(join(outside, 'a.txt'), 'a');
  for (const [name, days] of [
    ['old', 61],
    ['recent', 59],
    ['again', 100],
  ] as const) {
    mkdirSync(join(folder, name, 'npm'), { recursive: true });
    writeFileSync(join(folder, name, 'npm', 'x'), '');
    symlinkSync(outside, join(folder, name, 'link'));
    utimesSync(join(folder, name), new Date(now - days * day), new Date(now - days * day));
  }
  await useCaches(folder, 'again', now);
  assert.deepEqual(readdirSync(folder).sort(), ['again', 'recent']);
  assert.deepEqual(readdirSync(outside), ['a.txt']);
  await useCaches(folder, 'new', now + 50 * day);
  assert.deepEqual(readdirSync(folder).sort(), ['again', 'new']);
});
