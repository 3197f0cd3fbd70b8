// @ts-check
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { inRoot, root } from '../root.mjs';
import { vsixPath } from '../workbench/installed.mjs';
import { CommandError, cleanEnv, run } from '../workbench/run.mjs';
import { hasPassed, notePassed, projectKey } from './passed.mjs';
import { layerMark } from './processorTime.mjs';
import { prepareProduct } from './product.mjs';
import { recordFlags } from './records.mjs';
import { stepCache } from './stepCache.mjs';

/** @typedef {{ name: string, args: readonly string[], readsBuild?: boolean }} Step a program with its arguments; whether it reads what was built */

const prettier = inRoot('node_modules', 'prettier', 'bin', 'prettier.cjs');
const prettierCache = ['--cache', '--cache-strategy', 'content', '--cache-location', stepCache('prettier.json')];

/** What is checked without running the product. A step that passed on the same project doesn't run again. @type {readonly Step[]} */
const checks = [
  { name: 'lint', args: [inRoot('node_modules', 'oxlint', 'bin', 'oxlint')] },
  { name: 'lint of imports and test names', args: [inRoot('node_modules', 'eslint', 'bin', 'eslint.js'), '.'] },
  { name: 'types of the extension', args: types('tsconfig.json') },
  { name: 'types of the page', args: types('webview/tsconfig.json') },
  { name: 'types of the tests', args: types('test/tsconfig.json') },
  { name: 'format', args: [prettier, '--check', '--log-level=warn', ...prettierCache, '.'] },
  { name: 'strings', args: ['test/strings.mjs'] },
  { name: 'tables', args: ['test/tables.mjs'] },
  { name: 'sizes', args: ['test/sizes.mjs'], readsBuild: true },
];

const packaging = { name: 'package', args: ['test/package.mjs', '--no-build'] };

/** Installs the project's packages if some are missing, or differ from the lock file. */
export async function installPackages() {
  if (await hasPackages()) return;
  console.log('Installing packages with npm ci …');
  await run('npm', ['ci'], { cwd: root, env: cleanEnv() });
}

/** Whether npm has installed what the lock file lists. What this platform doesn't need may be missing. */
async function hasPackages() {
  const read = async (/** @type {string[]} */ ...path) => {
    /** @type {{ packages?: Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> }} */
    const { packages = {} } = JSON.parse(await readFile(inRoot(...path), 'utf8'));
    return packages;
  };
  try {
    const installed = await read('node_modules', '.package-lock.json');
    return Object.entries(await read('package-lock.json')).every(
      ([name, { version, optional, devOptional }]) =>
        name === '' || (installed[name]?.version ?? (optional || devOptional ? version : undefined)) === version,
    );
  } catch {
    return false; // Nothing installed, or not by npm.
  }
}

/**
 * The checks, each as a job of its own.
 * @param {import('./report.mjs').Layer} layer
 * @param {Promise<boolean>} packed resolves when everything is built
 * @returns {import('./schedule.mjs').Job[]}
 */
export function checkJobs(layer, packed) {
  /** @type {Promise<string> | undefined} */
  let key;
  return checks.map((step) => ({
    name: `checks ${step.name}`,
    layer,
    share: 'processor',
    run: async () => {
      if (step.readsBuild) {
        await packed;
        await runStep(layer, step);
        return;
      }
      const now = await (key ??= projectKey());
      if (hasPassed(step.name, now)) {
        layer.add({ name: step.name, note: 'passed on the same files before' });
      } else if (await runStep(layer, step)) {
        await notePassed(step.name, now);
      }
    },
  }));
}

/** Builds the product that the run tests; false if that failed. @param {import('./report.mjs').Layer} layer */
export async function runBuild(layer) {
  layer.begin();
  try {
    let isNew = false;
    await prepareProduct(async (folder) => {
      isNew = true;
      const args = ['esbuild.mjs', '--into', relative(root, folder)];
      if (!(await runStep(layer, { name: 'build', args }))) throw new BuildError();
    });
    if (!isNew) layer.add({ name: 'build', note: 'of the same files as before' });
    return true;
  } catch (error) {
    // The step has reported its own failure.
    if (!(error instanceof BuildError)) layer.add({ name: 'build', error: String(error) });
    return false;
  } finally {
    layer.pause();
  }
}

class BuildError extends Error {}

/** Packs what was built into the VSIX, unless it is packed; false if that failed. Never rejects. @param {import('./report.mjs').Layer} layer */
export async function runPackaging(layer) {
  try {
    if (existsSync(await vsixPath())) {
      layer.add({ name: packaging.name, note: 'of the same files as before' });
      return true;
    }
    layer.begin();
    const passed = await runStep(layer, packaging);
    layer.pause();
    return passed;
  } catch (error) {
    layer.add({ name: packaging.name, error: String(error) });
    return false;
  }
}

/** Arguments of the type checker. @param {string} project */
function types(project) {
  return [inRoot('node_modules', '@typescript', 'native', 'bin', 'tsc'), '-p', project];
}

/**
 * Runs a step to its end and reports it.
 * @param {import('./report.mjs').Layer} layer
 * @param {Step} step
 * @returns {Promise<boolean>} whether it passed
 */
async function runStep(layer, step) {
  const start = Date.now();
  const env = { ...process.env, [layerMark]: layer.name };
  try {
    await run(process.execPath, [...recordFlags, ...step.args], { cwd: root, env, timeoutMs: 1_800_000 });
    layer.add({ name: step.name, durationMs: Date.now() - start });
    return true;
  } catch (error) {
    const text = error instanceof CommandError ? error.output.trimEnd().slice(-8000) : String(error);
    layer.add({ name: step.name, durationMs: Date.now() - start, error: text });
    return false;
  }
}
