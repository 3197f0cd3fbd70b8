// @ts-check
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { inRoot, root } from '../root.mjs';
import { CommandError, cleanEnv, run } from '../workbench/run.mjs';
import { lookAtVsix } from './packing.mjs';
import { hasPassed, notePassed, projectKey } from './passed.mjs';
import { recordFlags, takeRecord } from './records.mjs';
import { stepCache } from './stepCache.mjs';

/** @typedef {{ name: string, args: readonly string[], readsBuild?: boolean }} Step a program with its arguments; whether it reads what was built */

const prettier = inRoot('node_modules', 'prettier', 'bin', 'prettier.cjs');
const prettierCache = ['--cache', '--cache-strategy', 'content', '--cache-location', stepCache('prettier.json')];

/** What is checked without running the product. A step that passed on the same project doesn't run again. @type {readonly Step[]} */
const checks = [
  { name: 'lint', args: ['test/runner/lint.mjs'] },
  { name: 'types of the extension', args: types('tsconfig.json') },
  { name: 'types of the page', args: types('webview/tsconfig.json') },
  { name: 'types of the tests', args: types('test/tsconfig.json') },
  { name: 'format', args: [prettier, '--check', '--log-level=warn', ...prettierCache, '.'] },
  { name: 'strings', args: ['test/strings.mjs'] },
  { name: 'readme', args: ['test/readme.mjs'] },
  { name: 'sizes', args: ['test/sizes.mjs'], readsBuild: true },
];

const build = { name: 'build', args: ['esbuild.mjs'] };
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
        return (await runStep(layer, step)).processorSeconds;
      }
      const now = await (key ??= projectKey());
      if (hasPassed(step.name, now)) {
        layer.add({ name: step.name, note: 'passed on the same files before' });
        return 0;
      }
      const { passed, processorSeconds } = await runStep(layer, step);
      if (passed) await notePassed(step.name, now);
      return processorSeconds;
    },
  }));
}

/** Builds `dist/`; false if that failed. @param {import('./report.mjs').Layer} layer */
export async function runBuild(layer) {
  layer.begin();
  const { passed, processorSeconds } = await runStep(layer, build);
  layer.pause(processorSeconds);
  return passed;
}

/** Packs what was built into the VSIX; false if that failed. Never rejects. @param {import('./report.mjs').Layer} layer */
export async function runPackaging(layer) {
  try {
    const { isCurrent, note } = await lookAtVsix();
    if (isCurrent) {
      layer.add({ name: packaging.name, note: 'of the same files as before' });
      return true;
    }
    layer.begin();
    const { passed, processorSeconds } = await runStep(layer, packaging);
    layer.pause(processorSeconds);
    if (passed) await note();
    return passed;
  } catch (error) {
    layer.add({ name: packaging.name, error: String(error) });
    return false;
  }
}

/** Arguments of the type checker: TypeScript 7, which ESLint's rules can't use yet. @param {string} project */
function types(project) {
  return [inRoot('node_modules', '@typescript', 'native', 'bin', 'tsc'), '-p', project];
}

/**
 * @param {import('./report.mjs').Layer} layer
 * @param {Step} step
 * @returns {Promise<{ passed: boolean, processorSeconds: number }>}
 */
async function runStep(layer, step) {
  const start = Date.now();
  let passed = true;
  try {
    await run(process.execPath, [...recordFlags, ...step.args], { cwd: root, timeoutMs: 1_800_000 });
    layer.add({ name: step.name, durationMs: Date.now() - start });
  } catch (error) {
    const text = error instanceof CommandError ? error.output.trimEnd().slice(-8000) : String(error);
    layer.add({ name: step.name, durationMs: Date.now() - start, error: text });
    passed = false;
  }
  const record = await takeRecord(resolve(root, step.args[0] ?? ''));
  return { passed, processorSeconds: record?.seconds ?? 0 };
}
