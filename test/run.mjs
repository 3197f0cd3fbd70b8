// @ts-check
// Runs the tests: `node test/run.mjs [LAYER] [TEXT]`. Without a layer all of them, set-up of the machine included.
// TEXT picks the test files whose path holds it; for the integration and conformance suites, the tests whose name holds it.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { inRoot, root } from './root.mjs';
import { endProcessesWith, runMark } from './workbench/processes.mjs';
import { removeTempFolder, useTempFolder } from './workbench/tempFolder.mjs';
import { checkJobs, installPackages, runBuild, runPackaging } from './runner/steps.mjs';
import { filesUnder } from './runner/files.mjs';
import { Layer, finish } from './runner/report.mjs';
import { runJobs } from './runner/schedule.mjs';
import { runNodeTests } from './runner/nodeTests.mjs';
import { preparedVariable } from './windows/wine.mjs';

/** @typedef {import('./runner/schedule.mjs').Job} Job */

/** What the oldest VS Code is asked, by parts of names: every part of its interface that Parley uses, not Parley's own logic again. */
const floorTests = [
  'the extension in a real VS Code',
  'an agent reads a file',
  'an agent cannot read',
  'opens no editor and keeps the focus',
  'can be undone after opening the file',
  'succeeds while the agent writes the file to disk',
  'creates a new file with its byte order mark',
  'preserves typing, cursor, and selection elsewhere',
  'preserves text typed during the write',
  'outside the workspace',
  'save participants and reads',
  'a byte order mark, byte for byte',
  'Latin-1, byte for byte',
  'text that the encoding cannot represent',
  'terminals ›',
  'undoes another written through the editor',
  'covers files the agent writes to disk',
  'can undo a keep',
  'open files also get their first bytes',
  'restores a deleted file that is open',
  'one cell is kept',
  'a cell that the agent added',
  "a comment goes to the change's agent",
  'hovering a changed line',
  'opens all files in one reused diff editor',
  'undoes one turn or all turns',
];

const minute = 60_000;
/** Files that measure the processor's time of a page: no other test's pages are in their browser. */
const measures = /Speed\.test\.\w+$/;

/**
 * @typedef {object} LayerPlan
 * @property {string} name
 * @property {readonly string[]} folders where its `*.test.ts` files are
 * @property {'none' | 'build' | 'vsix'} needs
 * @property {'cjs' | 'esm'} format
 * @property {number} timeoutMs for a whole file
 * @property {number} [together] how many files may share a process, and with it a browser or a window
 * @property {boolean} [inWindows] whether it runs in Windows, by Wine
 * @property {string} [first] a module that each process evaluates before its test files
 */

/** Those that take long come first, so that none is left at the end. @type {readonly LayerPlan[]} */
const nodeLayers = [
  { name: 'e2e', folders: ['test/e2e'], needs: 'vsix', format: 'esm', timeoutMs: 12 * minute, together: 16 },
  { name: 'agents', folders: ['test/agents'], needs: 'vsix', format: 'esm', timeoutMs: 10 * minute, together: 4 },
  {
    name: 'page',
    folders: ['test/page'],
    needs: 'build',
    format: 'esm',
    timeoutMs: 8 * minute,
    together: 10,
  },
  {
    name: 'chaos',
    folders: ['test/chaos'],
    needs: 'none',
    format: 'cjs',
    timeoutMs: 3 * minute,
  },
  {
    name: 'windows-e2e',
    folders: ['test/windows/e2e'],
    needs: 'vsix',
    format: 'esm',
    timeoutMs: 8 * minute,
    together: 16,
    inWindows: true,
    first: inRoot('test', 'windows', 'inWindows.ts'),
  },
  {
    name: 'windows-unit',
    // What touches processes, paths, files, and terminals.
    folders: ['agent', 'baseline', 'disk', 'host', 'process', 'review', 'shared', 'terminal'].map(
      (one) => `src/${one}`,
    ),
    needs: 'none',
    format: 'cjs',
    timeoutMs: 4 * minute,
    together: 8,
    inWindows: true,
  },
  { name: 'fuzz', folders: ['test/fuzz'], needs: 'none', format: 'cjs', timeoutMs: 5 * minute },
  {
    name: 'unit',
    folders: ['src', 'webview', 'test/conformance', 'test/unit-support', 'test/gates'],
    needs: 'none',
    format: 'cjs',
    timeoutMs: 2 * minute,
    together: 16,
  },
];

const [asked, ...words] = process.argv.slice(2);
const filter = words.join(' ');
const windowsLayers = ['windows-unit', 'windows-integration', 'windows-e2e'];
const layerNames = [
  'checks',
  'unit',
  'chaos',
  'fuzz',
  'page',
  'integration',
  'floor',
  'conformance',
  'e2e',
  'agents',
  ...windowsLayers,
];
if (asked !== undefined && asked !== 'windows' && !layerNames.includes(asked)) {
  console.error(`There is no layer "${asked}". Layers: ${layerNames.join(', ')}, and windows for all of its three.`);
  process.exit(2);
}
const wanted = asked === undefined ? layerNames : asked === 'windows' ? windowsLayers : [asked];

/** @type {Layer[]} */
const layers = [];
/** Folders of bundles, removed at the end. @type {string[]} */
const bundleFolders = [];
const mark = randomUUID();
process.env[runMark] = mark;
const tempFolder = useTempFolder();
// Who runs one layer may want to look at its pictures; in a run of everything they are there for when it fails.
if (asked !== undefined) process.env['PARLEY_PICTURES'] ??= 'sharp';
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    void end()
      .then(() => removeTempFolder(tempFolder))
      .finally(() => process.exit(130));
  });
}

const noPackages = await reasonOf(installPackages());
if (noPackages !== undefined) {
  open('packages').add({ name: 'npm ci installs what the project needs', error: noPackages });
  await removeTempFolder(tempFolder);
  process.exit(finish(layers));
}
/** Its folder is known to the tests that run in it. @type {import('./windows/wine.mjs').Wine | undefined} */
let wine;
const { bundleTests, bundleTogether } = await import('./runner/bundle.mjs');
const { ensureChromium } = await import('./workbench/browser.mjs');
const { unsupportedPlatform, vscodeServer } = await import('./workbench/vscodeServer.mjs');
await main();
(await import('esbuild')).stop();
const left = await end(2000);
if (left.length > 0) {
  const list = left.map(({ pid, command }) => `${pid} ${command}`).join('\n');
  open('processes').add({ name: 'nothing that the tests started is left running', error: list });
}
const litter = await removeTempFolder(tempFolder);
// A test that failed says enough; what it left behind is only a consequence.
if (litter.length > 0 && layers.every(({ failures }) => failures.length === 0)) {
  open('files').add({ name: 'nothing is left in the temporary folder', error: litter.join('\n') });
}
process.exit(finish(layers));

/** Ends what the tests have started and removes their bundles. @param {number} [graceMs] for what is about to end by itself */
async function end(graceMs = 0) {
  await wine?.close();
  const ended = await endProcessesWith(runMark, mark, graceMs);
  for (const folder of bundleFolders) await rm(folder, { recursive: true, force: true });
  return ended;
}

async function main() {
  const plans = await Promise.all(nodeLayers.filter(({ name }) => wanted.includes(name)).map(withFiles));
  /** @type {Job[]} */
  const jobs = [];
  let built = true;
  /** @type {Promise<boolean>} */
  let packed = Promise.resolve(true);
  if (wanted.some((name) => !['unit', 'chaos', 'fuzz', 'windows-unit'].includes(name))) {
    const layer = open('checks');
    layer.begin();
    built = await runBuild(layer);
    // What does not need the VSIX need not wait for it.
    if (built && (asked === undefined || plans.some(({ needs }) => needs === 'vsix'))) packed = runPackaging(layer);
    if (wanted.includes('checks')) jobs.push(...checkJobs(layer, packed));
    else void packed.then(() => layer.end());
  }
  // Without a product, what needs it would only repeat the same failure.
  const possible = plans.filter(({ needs, files }) => files.length > 0 && (built || needs === 'none'));
  const suites = /** @type {const} */ (['integration', 'floor', 'conformance', 'windows-integration']).filter(
    (name) => built && wanted.includes(name),
  );
  const noWine = wanted.some((name) => windowsLayers.includes(name)) ? await prepareWine() : undefined;
  const inBrowser = suites.length > 0 || possible.some(({ needs }) => needs !== 'none');
  const noBrowser = inBrowser ? await reasonOf(ensureChromium(console.log)) : undefined;
  for (const name of suites) jobs.push(...suiteJobs(name, noBrowser, noWine));
  for (const plan of possible)
    jobs.push(...(await planJobs(plan, packed, plan.needs === 'none' ? undefined : noBrowser, noWine)));
  // Programs of Windows come last, when nothing else runs: Wine takes several times as long, and its tests don't bear much more.
  const isInWindows = (/** @type {Job} */ { layer }) => windowsLayers.includes(layer.name);
  await runJobs([...jobs.filter((job) => !isInWindows(job)), ...jobs.filter(isInWindows)]);
}

/**
 * Starts Wine for the tests that run in Windows.
 * @returns {Promise<string | undefined>} the reason for which they can't run
 */
async function prepareWine() {
  const { startWine } = await import('./windows/wine.mjs');
  try {
    wine = await startWine(console.log);
    process.env[preparedVariable] = wine.prefix;
    return undefined;
  } catch (error) {
    // Also where Wine is installed, but may not run, as in some containers.
    return `Windows programs can’t run here: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** @param {LayerPlan} plan */
async function withFiles(plan) {
  const found = await Promise.all(plan.folders.map((folder) => filesUnder(inRoot(folder), '.test.ts')));
  return { ...plan, files: found.flat().filter((file) => file.slice(root.length).includes(filter)) };
}

/**
 * Bundles the test files of a layer; each is a job.
 * @param {LayerPlan & { files: readonly string[] }} plan
 * @param {Promise<boolean>} packed whether there is a VSIX, as soon as that is known; without one, what needs it says nothing
 * @param {string} [noBrowser] why there is none, when it needs one
 * @param {string} [noWine] why there is none
 * @returns {Promise<Job[]>}
 */
async function planJobs(
  { name, files, needs, format, timeoutMs, together = 1, inWindows = false, first },
  packed,
  noBrowser,
  noWine,
) {
  const layer = open(name);
  if (cannotRun(layer, needs === 'vsix', noBrowser, inWindows ? noWine : undefined)) return [];
  const { withLimits } = await import('./windows/limits.mjs');
  // A folder of its own, so that runs at the same time do not take each other's bundles away.
  const folder = `${name}-${process.pid}`;
  bundleFolders.push(inRoot('out', folder));
  try {
    const alone = files.filter((file) => together === 1 || (measures.test(file) && !inWindows));
    const bundles = await bundleTests(alone, { folder, format });
    if (alone.length < files.length) {
      const others = files.filter((file) => !alone.includes(file));
      bundles.push(
        ...(await bundleTogether(others, { folder: `${folder}/together`, format, perBundle: together, first })),
      );
    }
    return bundles.map((file) => ({
      name: `${name} ${relative(inRoot('out', folder), file).replace(/.*-entries\//, '')}`,
      layer,
      run: async (report) => {
        if (needs === 'vsix' && !(await packed)) return;
        if (needs === 'vsix') await vscodeServer(console.log);
        if (!inWindows) await runNodeTests(file, report, timeoutMs);
        else if (needs === 'vsix') await runNodeTests(file, withLimits(report), timeoutMs);
        else if (wine)
          await (await import('./windows/unit.mjs')).runUnitTests(wine, file, withLimits(report), timeoutMs);
      },
    }));
  } catch (error) {
    layer.add({ name: 'the tests can be bundled', error: String(error) });
    return [];
  }
}

/**
 * @param {'integration' | 'floor' | 'conformance' | 'windows-integration'} name
 * @param {string | undefined} noBrowser
 * @param {string | undefined} noWine
 * @returns {Job[]}
 */
function suiteJobs(name, noBrowser, noWine) {
  const layer = open(name);
  const inWindows = name === 'windows-integration';
  if (cannotRun(layer, true, noBrowser, inWindows ? noWine : undefined)) return [];
  const release = name === 'floor' ? 'floor' : 'latest';
  /** @type {Job['run']} */
  const run = async (report) => {
    await vscodeServer(console.log, release);
    const picked = (name === 'floor' && filter === '' ? floorTests : [filter]).join('|');
    const onResult = report.add.bind(report);
    if (name === 'conformance') {
      const { runConformance } = await import('./conformance/run.mjs');
      await runConformance({ filter: picked, onResult });
      return;
    }
    const { runIntegration } = await import('./integration/run.mjs');
    if (!inWindows) await runIntegration({ release, filter: picked, onResult });
    else if (wine) await (await import('./windows/integration.mjs')).runInWindows(wine, filter, report);
  };
  return [{ name, layer, run }];
}

/**
 * Where VS Code's server cannot run, a layer that is to run in it counts as skipped and says what to do; without a browser it fails.
 * @param {Layer} layer
 * @param {boolean} inServer
 * @param {string | undefined} noBrowser
 * @param {string | undefined} noWine a reason to skip it, too
 */
function cannotRun(layer, inServer, noBrowser, noWine) {
  const why = (inServer ? unsupportedPlatform() : undefined) ?? noWine;
  if (why !== undefined) layer.add({ name: why, skipped: true });
  else if (noBrowser !== undefined) layer.add({ name: `the ${layer.name} tests have a browser`, error: noBrowser });
  return why !== undefined || noBrowser !== undefined;
}

/** Why a step failed; undefined when it did not. @param {Promise<unknown>} step */
function reasonOf(step) {
  return step.then(
    () => undefined,
    (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error)),
  );
}

/** @param {string} name */
function open(name) {
  const layer = new Layer(name, { verbose: !name.endsWith('unit') || filter !== '' });
  layers.push(layer);
  return layer;
}
