// @ts-check
import { existsSync } from 'node:fs';
import { inRoot, root } from '../root.mjs';
import { CommandError, cleanEnv, run } from '../workbench/run.mjs';

/** @typedef {{ name: string, args: readonly string[] }} Step */

const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc');

/** What is checked without running the product. @type {readonly Step[]} */
const checks = [
  { name: 'lint', args: [inRoot('node_modules', 'eslint', 'bin', 'eslint.js'), '.', '--max-warnings=0'] },
  { name: 'types of the extension', args: [tsc, '-p', 'tsconfig.json'] },
  { name: 'types of the page', args: [tsc, '-p', 'webview/tsconfig.json'] },
  { name: 'types of the tests', args: [tsc, '-p', 'test/tsconfig.json'] },
  {
    name: 'format',
    args: [inRoot('node_modules', 'prettier', 'bin', 'prettier.cjs'), '--check', '--log-level=warn', '.'],
  },
  { name: 'strings', args: ['test/strings.mjs'] },
];

const build = { name: 'build', args: ['esbuild.mjs'] };
const packaging = { name: 'package', args: ['test/package.mjs', '--no-build'] };
const sizes = { name: 'sizes', args: ['test/sizes.mjs'] };

/** Installs the project's packages when they are missing or older than the lock file says. */
export async function installPackages() {
  if (existsSync(inRoot('node_modules', '.package-lock.json'))) return;
  console.log('Installing packages with npm ci …');
  await run('npm', ['ci'], { cwd: root, env: cleanEnv() });
}

/** Runs types, lint and format, two at a time. @param {import('./report.mjs').Layer} layer */
export async function runChecks(layer) {
  const queue = [...checks];
  const worker = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) await runStep(layer, step);
  };
  await Promise.all([worker(), worker()]);
}

/** Builds `dist/`, and the VSIX too if asked; false if one of them failed. @param {import('./report.mjs').Layer} layer @param {boolean} vsix */
export async function runBuild(layer, vsix) {
  if (!(await runStep(layer, build))) return false;
  return !vsix || runStep(layer, packaging);
}

/** Compares what was built with its budgets. @param {import('./report.mjs').Layer} layer */
export function runSizes(layer) {
  return runStep(layer, sizes);
}

/**
 * @param {import('./report.mjs').Layer} layer
 * @param {Step} step
 */
async function runStep(layer, step) {
  const start = Date.now();
  try {
    await run(process.execPath, step.args, { cwd: root });
    layer.add({ name: step.name, durationMs: Date.now() - start });
    return true;
  } catch (error) {
    const text = error instanceof CommandError ? error.output.trimEnd().slice(-8000) : String(error);
    layer.add({ name: step.name, durationMs: Date.now() - start, error: text });
    return false;
  }
}
