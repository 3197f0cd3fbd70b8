// @ts-check
// Runs the tests: `node test/run.mjs [LAYER] [TEXT]`. Without a layer all of them, set-up of the machine included.
// TEXT picks the test files whose path holds it; for the integration suites, the tests whose name holds it.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { inRoot, root } from './root.mjs';
import { endProcessesWith, runMark } from './workbench/processes.mjs';
import { installPackages, runBuild, runChecks, runSizes } from './runner/steps.mjs';
import { Layer, finish } from './runner/report.mjs';
import { runNodeTests } from './runner/nodeTests.mjs';

const minute = 60_000;

/**
 * @typedef {object} LayerPlan
 * @property {string} name
 * @property {readonly string[]} folders where its `*.test.ts` files are
 * @property {'none' | 'build' | 'vsix'} needs
 * @property {'cjs' | 'esm'} format
 * @property {number} concurrency
 * @property {number} timeoutMs for a whole file
 */

/** @type {readonly LayerPlan[]} */
const nodeLayers = [
  {
    name: 'unit',
    folders: ['src', 'webview'],
    needs: 'none',
    format: 'cjs',
    concurrency: cpus().length,
    timeoutMs: 2 * minute,
  },
  { name: 'page', folders: ['test/page'], needs: 'build', format: 'esm', concurrency: 2, timeoutMs: 4 * minute },
  { name: 'e2e', folders: ['test/e2e'], needs: 'vsix', format: 'esm', concurrency: 1, timeoutMs: 8 * minute },
  { name: 'agents', folders: ['test/agents'], needs: 'vsix', format: 'esm', concurrency: 1, timeoutMs: 10 * minute },
];

const [asked, ...words] = process.argv.slice(2);
const filter = words.join(' ');
const layerNames = ['checks', 'unit', 'page', 'integration', 'floor', 'e2e', 'agents'];
if (asked !== undefined && !layerNames.includes(asked)) {
  console.error(`There is no layer "${asked}". Layers: ${layerNames.join(', ')}.`);
  process.exit(2);
}
const wanted = asked === undefined ? layerNames : [asked];

/** @type {Layer[]} */
const layers = [];
const mark = randomUUID();
process.env[runMark] = mark;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void endProcessesWith(runMark, mark, 0).finally(() => process.exit(130)));
}

await installPackages();
const { bundleTests, filesUnder } = await import('./runner/bundle.mjs');
await main();
(await import('esbuild')).stop();
const left = await endProcessesWith(runMark, mark, 2000);
if (left.length > 0) {
  const layer = open('processes');
  const list = left.map(({ pid, command }) => `${pid} ${command}`).join('\n');
  layer.add({ name: 'nothing that the tests started is left running', error: list });
}
process.exit(finish(layers));

async function main() {
  const plans = await Promise.all(nodeLayers.filter(({ name }) => wanted.includes(name)).map(withFiles));
  const needsBuild = wanted.some((name) => !['unit'].includes(name));
  const needsVsix = asked === undefined || plans.some(({ needs }) => needs === 'vsix');
  if (needsBuild) {
    const layer = open('checks');
    const built = await runBuild(layer, needsVsix);
    if (wanted.includes('checks')) {
      if (built) await runSizes(layer);
      await runChecks(layer);
    }
    layer.end();
    // Without a product, every later layer would only repeat the same failure.
    if (layer.failures.some(({ name }) => name === 'build' || name === 'package')) {
      await runPlans(plans.filter(({ needs }) => needs === 'none'));
      return;
    }
  }
  await prepareBrowser(plans);
  await runPlans(plans.filter(({ name }) => name === 'unit' || name === 'page'));
  if (wanted.includes('integration')) await runIntegrationLayer('integration');
  if (wanted.includes('floor')) await runIntegrationLayer('floor');
  await runPlans(plans.filter(({ name }) => name === 'e2e' || name === 'agents'));
}

/** @param {LayerPlan} plan */
async function withFiles(plan) {
  const found = await Promise.all(plan.folders.map((folder) => filesUnder(inRoot(folder), '.test.ts')));
  return { ...plan, files: found.flat().filter((file) => file.slice(root.length).includes(filter)) };
}

/** @param {readonly { name: string, files: readonly string[] }[]} plans */
async function prepareBrowser(plans) {
  const uses = plans.some(({ name, files }) => name !== 'unit' && files.length > 0);
  if (!uses && !wanted.includes('integration') && !wanted.includes('floor')) return;
  const { ensureChromium } = await import('./workbench/browser.mjs');
  await ensureChromium(console.log);
}

/** @param {readonly (LayerPlan & { files: readonly string[] })[]} plans */
async function runPlans(plans) {
  for (const plan of plans) {
    if (plan.files.length === 0) continue;
    const layer = open(plan.name);
    if (plan.needs === 'vsix' && !(await serverIsThere(layer))) continue;
    // A folder of its own, so that runs at the same time do not take each other's bundles away.
    const folder = `${plan.name}-${process.pid}`;
    try {
      const bundles = await bundleTests(plan.files, { folder, format: plan.format });
      // What measures time runs alone, after the rest.
      const measures = (/** @type {string} */ file) => /Speed\.test\.\w+$/.test(file);
      await runNodeTests(
        bundles.filter((file) => !measures(file)),
        layer,
        plan,
      );
      await runNodeTests(bundles.filter(measures), layer, { ...plan, concurrency: 1 });
    } catch (error) {
      layer.add({ name: 'the tests can be bundled', error: String(error) });
    } finally {
      await rm(inRoot('out', folder), { recursive: true, force: true });
    }
    layer.end();
  }
}

/** @param {'integration' | 'floor'} name */
async function runIntegrationLayer(name) {
  const layer = open(name);
  const before = process.env['PARLEY_VSCODE'];
  if (name === 'floor') process.env['PARLEY_VSCODE'] = 'floor';
  try {
    if (!(await serverIsThere(layer))) return;
    const { runIntegration } = await import('./integration/run.mjs');
    await runIntegration({ filter, onResult: (outcome) => layer.add(outcome) });
  } catch (error) {
    layer.add({
      name: 'the suites run',
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  } finally {
    if (before === undefined) delete process.env['PARLEY_VSCODE'];
    else process.env['PARLEY_VSCODE'] = before;
    layer.end();
  }
}

/** Installs VS Code's server; where it cannot run, the layer counts as skipped and says what to do. @param {Layer} layer */
async function serverIsThere(layer) {
  const { unsupportedPlatform, vscodeServer } = await import('./workbench/vscodeServer.mjs');
  const unsupported = unsupportedPlatform();
  if (unsupported) layer.add({ name: unsupported, skipped: true });
  else await vscodeServer(console.log);
  return unsupported === undefined;
}

/** @param {string} name */
function open(name) {
  const layer = new Layer(name, { verbose: name !== 'unit' || filter !== '' });
  layers.push(layer);
  return layer;
}
