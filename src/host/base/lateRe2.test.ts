import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import type * as patterns from '../../shared/text/linearPattern';

test('re2js is loaded with the first pattern, and matches as itself', async (t) => {
  const folder = tempFolder(t);
  const shared = { bundle: true, platform: 'node', absWorkingDir: process.cwd() } as const;
  const engine = join(folder, 're2.cjs');
  await build({ ...shared, entryPoints: ['re2js'], outfile: engine, format: 'cjs' });
  await build({
    ...shared,
    entryPoints: ['src/shared/text/linearPattern.ts'],
    outfile: join(folder, 'linearPattern.mjs'),
    format: 'esm',
    alias: { re2js: './src/host/base/lateRe2.ts' },
  });
  const { linearPattern } = (await import(pathToFileURL(join(folder, 'linearPattern.mjs')).href)) as typeof patterns;
  const isLoaded = () => engine in require.cache;
  assert.equal(isLoaded(), false);
  assert.equal(linearPattern('^b+$', 'i')?.test('BB'), true);
  assert.equal(isLoaded(), true);
  assert.equal(linearPattern('(?=a)'), undefined);
  assert.deepEqual([...(linearPattern('a\\/b')?.matches('xa/b') ?? [])], [[1, 4]]);
});
