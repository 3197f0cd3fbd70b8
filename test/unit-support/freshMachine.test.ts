// The programs that install the project's packages run before there are any.
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import * as esbuild from 'esbuild';

for (const program of ['test/run.mjs', 'test/workbench/start.mjs', 'test/bench/run.mjs']) {
  test(`${program} loads no package before it has installed them`, async () => {
    const { metafile } = await esbuild.build({
      entryPoints: [program],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      outdir: 'out',
      write: false,
      metafile: true,
    });
    const reached = new Set([program]);
    const packages: string[] = [];
    for (const file of reached) {
      for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
        if (kind !== 'import-statement') continue;
        if (!external) reached.add(path);
        else if (!path.startsWith('node:')) packages.push(`${path}, imported by ${file}`);
      }
    }
    deepEqual(packages, []);
  });
}
