// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { inRoot, root } from '../root.mjs';
import { run } from '../workbench/run.mjs';

/**
 * Builds the page, runs a measurement of it in a separate browser, and compares the values with their budgets. Prints a table and one line
 * of JSON. Resolves to whether all are within their budgets.
 * @param {string} part
 * @param {string} file the measurement's file in the folder of the part
 * @returns {Promise<boolean>}
 */
export async function measureInBrowser(part, file) {
  // In the project's folder, because the driver of the browser isn't bundled.
  const folder = inRoot('out', 'bench');
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `${part}.mjs`);
  const results = join(folder, `${part}.json`);
  await rm(results, { force: true });
  await run(process.execPath, [inRoot('esbuild.mjs')], { cwd: root });
  await esbuild.build({
    entryPoints: [inRoot('test', 'bench', part, file)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const measuring = spawn(process.execPath, [outfile], {
    cwd: root,
    env: { ...process.env, PARLEY_BENCH_RESULTS: results },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(measuring, 'exit');
  if (code !== 0) throw new Error(`The measurement failed (exit code ${code}).`);
  /** @type {{ name: string, value: number, budget: number, unit: string }[]} */
  const rows = JSON.parse(await readFile(results, 'utf8'));
  for (const { name, value, budget, unit } of rows) {
    console.log(`${name.padEnd(64)}${value.toFixed(1).padStart(9)} ${unit.padEnd(5)} of ${String(budget).padStart(6)}`);
  }
  console.log(JSON.stringify(Object.fromEntries(rows.map(({ name, value }) => [name, Number(value.toFixed(1))]))));
  return rows.every(({ value, budget }) => value <= budget);
}
