// @ts-check
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { inRoot } from '../root.mjs';

/**
 * Runs `measure.ts` of a part of the benchmark with an empty folder and compares the printed values with their budgets, in milliseconds
 * unless another unit is given. Prints a table and one line of JSON, and sets the exit code.
 * @param {string} part
 */
export async function compareWithBudgets(part) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  try {
    const outfile = join(folder, 'measure.mjs');
    const banner = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;
    await esbuild.build({
      entryPoints: [inRoot('test', 'bench', part, 'measure.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      banner: { js: banner },
      logLevel: 'warning',
    });
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', outfile, folder], {
      timeout: 600_000,
    });
    /** @type {{ name: string, value: number, budget: number, unit?: string }[]} */
    const rows = JSON.parse(stdout);
    for (const { name, value, budget, unit = 'ms' } of rows) {
      console.log(`${name.padEnd(60)}${value.toFixed(1).padStart(9)} ${unit} of ${String(budget).padStart(5)}`);
    }
    console.log(JSON.stringify(Object.fromEntries(rows.map(({ name, value }) => [name, Number(value.toFixed(1))]))));
    process.exitCode = rows.some(({ value, budget }) => !(value <= budget)) ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
