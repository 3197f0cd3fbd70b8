// @ts-check
// Runs test files in which one file of the product is replaced.
import { readFile } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { bundleTests } from '../runner/bundle.mjs';
import { runNodeTests } from '../runner/nodeTests.mjs';
import { shortName } from '../runner/outcome.mjs';

/** @typedef {import('./mutations.mjs').Mutation} Mutation */

/** How long a test file may run, as in its layer. A test that waits forever without its gate doesn't say what is wrong, so it doesn't count. */
const timeoutMs = 240_000;

/**
 * Bundles each of the test files, with the gate removed from it. Rejects if the gate isn't in the source exactly once, if a test file
 * doesn't contain its source, or if something can't be bundled.
 * @param {readonly string[]} files in the project
 * @param {string} folder below `out`
 * @param {Mutation} [mutation] none leaves the product as it is
 * @returns {Promise<string[]>} the bundles
 */
export async function bundleGate(files, folder, mutation) {
  const programs = files.map((file) => inRoot(file));
  if (mutation === undefined) return bundleTests(programs, { folder, format: 'cjs' });
  const { file, from, to } = mutation;
  const text = await readFile(inRoot(file), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} doesn't have exactly one ${from}`);
  const contents = text.replace(from, () => to);
  let isUsed = false;
  /** @type {import('esbuild').Plugin} */
  const replacing = {
    name: 'replacing',
    setup: (build) => {
      build.onLoad({ filter: /\.[cm]?ts$/ }, ({ path }) => {
        if (path !== inRoot(file)) return undefined;
        isUsed = true;
        return { contents, loader: 'ts' };
      });
    },
  };
  const bundles = await bundleTests(programs, { folder, format: 'cjs', plugins: [replacing] });
  if (!isUsed) throw new Error(`${files.join(', ')} doesn't contain ${file}`);
  return bundles;
}

/**
 * Runs a bundle until its first test fails, and resolves to the test's name; undefined if all pass. Rejects if the bundle can't be
 * loaded or doesn't end, or if the test fails because what replaced the gate isn't valid.
 * @param {string} bundle
 * @returns {Promise<string | undefined>}
 */
export async function firstFailure(bundle) {
  const stopping = new AbortController();
  /** @type {{ readonly name: string, readonly error: string } | undefined} */
  let failed;
  let passed = 0;
  const report = {
    add: (/** @type {import('../runner/report.mjs').Outcome} */ { name, error }) => {
      if (failed !== undefined) return;
      if (error === undefined) {
        passed += 1;
        return;
      }
      failed = { name, error };
      stopping.abort();
    },
  };
  await runNodeTests(bundle, report, timeoutMs, [], stopping.signal);
  if (failed === undefined && passed === 0) throw new Error(`${shortName(bundle)} contains no test`);
  if (failed === undefined) return undefined;
  const { name, error } = failed;
  if (name === shortName(bundle)) throw new Error(`${name} can't run: ${error}`);
  if (/^(Reference|Syntax)Error\b/.test(error)) throw new Error(`${name}: ${error}`);
  return name;
}
