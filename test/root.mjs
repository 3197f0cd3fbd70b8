// @ts-check
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the project, found upwards from here, so that bundled test code in `out/` finds it too. */
export const root = findRoot(dirname(fileURLToPath(import.meta.url)));

/** @param {string} from */
function findRoot(from) {
  let folder = from;
  while (!existsSync(join(folder, 'esbuild.mjs'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`No project folder above ${from}.`);
    folder = parent;
  }
  return folder;
}

/** Joins path segments below the project's folder. @param {string[]} segments */
export function inRoot(...segments) {
  return join(root, ...segments);
}

/** Names the folder with the built product to the processes of a test run, which has one of its own (test/runner/product.mjs). */
export const productVariable = 'PARLEY_PRODUCT';

/** Joins path segments below the folder with the built product: the project's own, unless a test run has another. @param {string[]} segments */
export function inProduct(...segments) {
  return join(process.env[productVariable] ?? root, ...segments);
}
