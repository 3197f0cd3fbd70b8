// @ts-check
// Runs the tests: `node test/run.mjs [LAYER] [TEXT] [--changed] [--all] [--new] [--since COMMIT] [--times N] [--selected]`.
// Without a layer, it runs everything that a change can break on Linux; `windows` are the layers that run in Windows.
// TEXT picks test files by part of their path; for the suites of an extension host, tests by part of their name.
// `--changed` leaves out what passed here on the same inputs. `--all` also plays the variants whose inputs haven't changed (variants.mjs).
// `--selected` runs of Windows what a change is likely to break. `--new` runs only tests that are new or changed since a commit, by default
// the one where this branch left the one it follows, 20 times each beside a busy process. `--times` repeats what is picked in any other way.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { inRoot, root } from './root.mjs';
import { endProcessesWith, runMark } from './workbench/processes.mjs';
import { removeTempFolder, useTempFolder } from './workbench/tempFolder.mjs';
import { checkJobs, installPackages, runBuild, runPackaging } from './runner/steps.mjs';
import { filesUnder } from './runner/files.mjs';
import {
  floorTests,
  linuxLayers,
  nodeLayers,
  selectedInWindows,
  suites as suiteNames,
  windowsLayers,
} from './runner/layers.mjs';
import { Layer, finish } from './runner/report.mjs';
import { hasPassed, noteKey } from './runner/passed.mjs';
import { ProcessorMeter } from './runner/processorTime.mjs';
import { removeRecords, startRecords } from './runner/records.mjs';
import { RepeatedReport, keepBusy } from './runner/repeated.mjs';
import { runJobs } from './runner/schedule.mjs';
import { runNodeTests } from './runner/nodeTests.mjs';
import { runSuite } from './runner/suites.mjs';
import { chooseVariants, noteVariant } from './runner/variants.mjs';
import { preparedVariable } from './windows/wine.mjs';

/** @typedef {import('./runner/schedule.mjs').Job} Job */
/** @typedef {import('./runner/layers.mjs').LayerPlan} LayerPlan */
/** @typedef {import('./runner/layers.mjs').SuiteName} SuiteName */
/** What counts for `--changed`, and what for `--selected`, by file. @typedef {{ inputs: ReadonlyMap<string, string>, selected: ReadonlyMap<string, string> }} FileKeys */
/** @typedef {LayerPlan & { files: readonly string[], keys: FileKeys }} FilledPlan the files to run, and the keys of all */

/** The variants that a layer's tests play, noted when the whole layer passed. @type {Readonly<Record<string, readonly import('./runner/variants.mjs').Variant[]>>} */
const variantsOf = { agents: ['sandboxed', 'version2'], page: ['themes'] };

/** Files that measure the processor time of a page: nothing else may use their browser or a processor. */
const measures = /Speed\.test\.\w+$/;

/** How often a test that is new or changed runs, unless `--times` says otherwise. */
const timesOfNew = 20;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    selected: { type: 'boolean', default: false },
    new: { type: 'boolean', default: false },
    since: { type: 'string' },
    times: { type: 'string' },
  },
});
const [asked, ...words] = positionals;
const filter = words.join(' ');
const allLayers = [...linuxLayers, ...windowsLayers];
if (asked !== undefined && asked !== 'windows' && !allLayers.includes(asked)) {
  console.error(`There is no layer "${asked}". Layers: ${allLayers.join(', ')}, and windows for its three.`);
  process.exit(2);
}
const everything = flags.new ? linuxLayers.filter((name) => name !== 'checks') : linuxLayers;
const wanted = asked === undefined ? everything : asked === 'windows' ? windowsLayers : [asked];
const times = flags.times === undefined ? (flags.new ? timesOfNew : 1) : Number(flags.times);
if (!Number.isInteger(times) || times < 1) {
  console.error(`--times takes a number of runs, not "${flags.times}".`);
  process.exit(2);
}
process.env['PARLEY_TEST_TIMES'] = String(times);

const startedAt = Date.now();
/** @type {Layer[]} */
const layers = [];
/** Folders of bundles, removed at the end. @type {string[]} */
const bundleFolders = [];
/** How many test files `--changed` leaves out. */
let unchanged = 0;
const mark = randomUUID();
process.env[runMark] = mark;
if (flags.all) process.env['PARLEY_TESTS_ALL'] = '1';
const meter = new ProcessorMeter(mark);
// Agents get the environment of the user's login shell. What a person's start-up files do takes seconds, or waits for other shells.
if (process.platform !== 'win32') process.env['SHELL'] = '/bin/sh';
const tempFolder = useTempFolder();
// Who runs one layer may want to look at its pictures. In a run of everything, they are there for when it fails.
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
  process.exit(summarize());
}
/** Its folder is known to the tests that run in it. @type {import('./windows/wine.mjs').Wine | undefined} */
let wine;
/** Why Windows programs can't run here, if they can't, once that is known. @type {Promise<string | undefined> | undefined} */
let noWine;
// What uses packages is loaded once they are there.
const { bundleTogether, suiteFiles, suitePackages } = await import('./runner/bundle.mjs');
const { Changes } = await import('./runner/changed.mjs');
const { playedKey, touchesSystem } = await import('./runner/played.mjs');
const { ensureChromium } = await import('./workbench/browser.mjs');
const { ensureSandboxPrograms, sandboxPath } = await import('./workbench/sandboxPrograms.mjs');
const { unsupportedPlatform, vscodeServer } = await import('./workbench/vscodeServer.mjs');
await startRecords();
const changes = new Changes();
/** With `--new`, the tests to run, by path. @type {ReadonlyMap<string, import('./runner/newTests.mjs').ChangedTests['names']> | undefined} */
const newOnes = flags.new ? await findNew() : undefined;
// Measurements would measure the busy process.
const calmDown = times > 1 ? keepBusy() : () => {};
await main();
calmDown();
(await import('esbuild')).stop();
const left = await end(2000);
if (left.length > 0) {
  const list = left.map(({ pid, command }) => `${pid} ${command}`).join('\n');
  open('processes').add({ name: 'nothing that the tests started is left running', error: list });
}
const litter = await removeTempFolder(tempFolder);
// If a test failed, what it left behind is only a consequence.
if (litter.length > 0 && layers.every(({ failures }) => failures.length === 0)) {
  open('files').add({ name: 'nothing is left in the temporary folder', error: litter.join('\n') });
}
process.exit(summarize());

/** Ends what the tests have started and removes their bundles. @param {number} [graceMs] for what is about to end by itself */
async function end(graceMs = 0) {
  await wine?.close();
  const ended = await endProcessesWith(runMark, mark, graceMs);
  for (const folder of bundleFolders) await rm(folder, { recursive: true, force: true });
  await removeRecords();
  return ended;
}

function summarize() {
  return finish(layers, { wallMs: Date.now() - startedAt, processorSeconds: meter.sums(), unchanged });
}

/** Finds the tests that are new or changed, and says since when. */
async function findNew() {
  const { changedTests, lastMerged } = await import('./runner/newTests.mjs');
  const since = flags.since ?? (await lastMerged());
  const found = await changedTests(since);
  console.log(
    `Tests of ${found.length} files are new or changed since ${since.slice(0, 12)}. Each one runs ${times} times.`,
  );
  return new Map(found.map(({ file, names }) => [file, names]));
}

async function main() {
  /** @type {Job[]} */
  const jobs = [];
  let built = true;
  /** @type {Promise<boolean>} */
  let packed = Promise.resolve(true);
  const needsBuild = wanted.some(
    (name) => !['unit', 'chaos', 'wiring', 'fuzz', 'histories', 'sandbox', 'windows-unit'].includes(name),
  );
  if (needsBuild) {
    const layer = open('checks');
    built = await runBuild(layer);
    // What doesn't need the VSIX doesn't wait for it.
    const needsVsix = nodeLayers.some(({ name, needs }) => needs === 'vsix' && wanted.includes(name));
    if (built && needsVsix) packed = runPackaging(layer);
    if (wanted.includes('checks')) jobs.push(...checkJobs(layer, packed));
    else void packed.then(() => layer.end());
  }
  if (wanted.includes('sandbox') || wanted.includes('agents')) await ensureSandboxPrograms(console.log);
  process.env['PARLEY_SANDBOX_PATH'] = sandboxPath();
  const leftOut = await chooseVariants({ all: flags.all });
  if (leftOut.length > 0)
    console.log(`Left out, because what makes the difference hasn’t changed: ${leftOut.join(', ')}`);
  // The keys of files contain what was built.
  const plans = await Promise.all(nodeLayers.filter(({ name }) => wanted.includes(name)).map(fillPlan));
  // Without a product, what needs it would only repeat the same failure.
  const possible = plans.filter(({ needs, files }) => files.length > 0 && (built || needs === 'none'));
  const suites = suiteNames.filter((name) => built && wanted.includes(name));
  const inBrowser = suites.length > 0 || possible.some(({ needs }) => needs !== 'none');
  const noBrowser = inBrowser ? await reasonOf(ensureChromium(console.log)) : undefined;
  for (const name of suites) jobs.push(...(await suiteJobs(name, noBrowser)));
  for (const plan of possible) jobs.push(...(await planJobs(plan, packed, noBrowser)));
  const opensWindow = new Set(jobs.filter(({ share }) => share !== 'processor').map(({ layer }) => layer.name));
  // Without a window, there is nothing to give way to.
  const yielding = opensWindow.size === 0 ? [] : layers.filter(({ name }) => !opensWindow.has(name));
  process.env['PARLEY_TEST_YIELDING'] = yielding.map(({ name }) => name).join(' ');
  await runJobs(jobs);
  if (filter === '' && !flags.changed && !newOnes) {
    for (const { name, failures } of layers) {
      if (failures.length === 0) for (const variant of variantsOf[name] ?? []) await noteVariant(variant);
    }
  }
}

/**
 * Starts Wine for the tests that run in Windows, once.
 * @returns {Promise<string | undefined>} the reason why they can't run
 */
function prepareWine() {
  return (noWine ??= startedWine());
}

async function startedWine() {
  const { startWine } = await import('./windows/wine.mjs');
  try {
    wine = await startWine(console.log);
    process.env[preparedVariable] = wine.prefix;
    return undefined;
  } catch (error) {
    // Wine can also be installed and not run, as in some containers.
    return `Windows programs can’t run here: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Finds the test files of a layer that are to run. @param {LayerPlan} plan @returns {Promise<FilledPlan>} */
async function fillPlan(plan) {
  const { name, needs, inWindows, selected, ending = '.test.ts' } = plan;
  const found = (await Promise.all(plan.folders.map((folder) => filesUnder(inRoot(folder), ending)))).flat();
  const picked = found.filter((file) => {
    const path = pathOf(file);
    return (newOnes?.has(path) ?? true) && path.includes(filter) && (!flags.selected || (selected?.test(path) ?? true));
  });
  try {
    const files = inWindows && needs === 'none' ? await touchingSystem(picked) : picked;
    const keys = await keysOf(name, files, needs === 'vsix');
    return { ...plan, files: await unlessPassed(name, files, keys), keys };
  } catch {
    // What can't be bundled is reported where it is bundled.
    return { ...plan, files: picked, keys: { inputs: new Map(), selected: new Map() } };
  }
}

/**
 * The files that import what differs between systems, directly or not: Windows can break no others.
 * @param {readonly string[]} files
 */
async function touchingSystem(files) {
  const { sourceGraph } = await import('./runner/sourceGraph.mjs');
  const reachOf = await sourceGraph(files);
  return files.filter((file) => touchesSystem(reachOf(file).packages));
}

/**
 * The keys under which passes of a layer's test files are remembered.
 * @param {string} layer
 * @param {readonly string[]} files
 * @param {boolean} inServer whether they run the product in VS Code
 * @param {readonly string[]} [external] what the files don't bundle
 * @returns {Promise<FileKeys>}
 */
async function keysOf(layer, files, inServer, external) {
  const inputs = await changes.keys(layer, files, { product: inServer, ...(external && { external }) });
  if (!inServer || !windowsLayers.includes(layer)) return { inputs, selected: inputs };
  const names = layer === 'windows-integration' ? selectedInWindows : [];
  // Of what they play, the rest is as on Linux.
  const key = await playedKey(files, { names, external: external ?? [], inWindows: true });
  return { inputs, selected: new Map(files.map((file) => [file, key])) };
}

/**
 * With `--changed` or `--selected`, the files that didn't pass on the same inputs.
 * @param {string} layer
 * @param {readonly string[]} files
 * @param {FileKeys} keys
 */
async function unlessPassed(layer, files, { inputs, selected }) {
  if (!flags.changed && (!flags.selected || flags.all)) return files;
  const has = (/** @type {string} */ file) =>
    flags.changed
      ? changes.hasPassed(layer, file, inputs.get(file))
      : changes.hasPassed(selectedOf(layer), file, selected.get(file));
  const passed = await Promise.all(files.map(has));
  const rest = files.filter((_file, at) => !passed[at]);
  unchanged += files.length - rest.length;
  return rest;
}

/**
 * Notes that files passed.
 * @param {string} layer
 * @param {readonly string[]} files
 * @param {FileKeys} keys
 * @param {readonly string[]} reads what they read besides
 * @param {boolean} [whole] whether all of their tests ran, and not only what `--selected` picks
 */
async function notePasses(layer, files, { inputs, selected }, reads, whole = true) {
  const of = (/** @type {ReadonlyMap<string, string>} */ keys) =>
    new Map([...keys].filter(([file]) => files.includes(file)));
  if (whole) await changes.note(layer, of(inputs), reads);
  if (windowsLayers.includes(layer)) await changes.note(selectedOf(layer), of(selected), reads);
}

/** @param {string} layer */
function selectedOf(layer) {
  return `${layer} --selected`;
}

/**
 * Bundles the test files of a layer. Each bundle is a job.
 * @param {FilledPlan} plan
 * @param {Promise<boolean>} packed whether there is a VSIX, once that is known; without one, what needs it reports nothing
 * @param {string | undefined} noBrowser why there is none
 * @returns {Promise<Job[]>}
 */
async function planJobs(plan, packed, noBrowser) {
  const { name, files, needs, format, timeoutMs, together = 1, opensWindow = false, inWindows = false, first } = plan;
  const layer = open(name);
  const lacksBrowser = needs === 'none' ? undefined : noBrowser;
  if (cannotRun(layer, needs === 'vsix', lacksBrowser, inWindows ? await prepareWine() : undefined)) return [];
  const { withLimits } = await import('./windows/limits.mjs');
  // A folder of its own, so that runs at the same time don't remove each other's bundles.
  const folder = `${name}-${process.pid}`;
  bundleFolders.push(inRoot('out', folder));
  try {
    const alone = files.filter((file) => measures.test(file) && !inWindows);
    const others = files.filter((file) => !alone.includes(file));
    const bundles = [
      ...(await bundleTogether(alone, { folder: `${folder}/alone`, format, perBundle: 1 })),
      // The names of new tests are picked file by file.
      ...(await bundleTogether(others, {
        folder: `${folder}/together`,
        format,
        perBundle: newOnes ? 1 : together,
        first,
      })),
    ];
    return bundles.map((bundle) => ({
      name: `${name} ${bundle.files.map((file) => relative(root, file)).join(', ')}`,
      layer,
      share: bundle.files.some((file) => alone.includes(file)) ? 'machine' : opensWindow ? 'window' : 'processor',
      run: async (report) => {
        if (needs === 'vsix' && !(await packed)) return;
        if (needs === 'vsix') await vscodeServer(console.log);
        let failed = false;
        /** @type {import('./runner/schedule.mjs').Report} */
        const watched = {
          add: (outcome) => {
            failed ||= outcome.error !== undefined;
            report.add(outcome);
          },
        };
        if (inWindows && needs === 'none') {
          if (!wine) return;
          const { runUnitTests } = await import('./windows/unit.mjs');
          await runUnitTests(wine, bundle.path, withLimits(watched), timeoutMs);
          // What they read there isn't noted.
          if (!failed) await notePasses(name, bundle.files, plan.keys, ['test/fixtures', 'test/golden']);
          return;
        }
        const names = bundle.files.flatMap((file) => namesIn(file) ?? []);
        const repeated = times > 1 ? new RepeatedReport() : undefined;
        let record;
        for (let time = 0; time < times; time += 1) {
          record = await runNodeTests(
            bundle.path,
            repeated ?? (inWindows ? withLimits(watched) : watched),
            timeoutMs,
            names,
          );
        }
        repeated?.passTo(inWindows ? withLimits(watched) : watched);
        if (record && !failed && names.length === 0) {
          await notePasses(name, bundle.files, plan.keys, record.reads);
        }
      },
    }));
  } catch (error) {
    layer.add({ name: 'the tests can be bundled', error: String(error) });
    return [];
  }
}

/**
 * @param {SuiteName} name
 * @param {string | undefined} noBrowser
 * @returns {Promise<Job[]>}
 */
async function suiteJobs(name, noBrowser) {
  const inWindows = name === 'windows-integration';
  const files = await suiteFiles(name === 'conformance-window' ? 'conformance' : 'integration');
  const keys = await keysOf(name, files, true, suitePackages);
  const newNames = files.flatMap((file) => {
    const names = newOnes?.get(pathOf(file));
    return names === undefined ? [] : names === 'all' ? [''] : names.map(({ part }) => part);
  });
  if (newOnes && (newNames.length === 0 || name === 'floor')) return [];
  // One extension host runs all suites.
  if (filter === '' && (await unlessPassed(name, files, keys)).length === 0) return [];
  const played =
    name === 'floor'
      ? await playedKey(files, { names: floorTests, external: suitePackages, inWindows: false })
      : undefined;
  if (played !== undefined && asked === undefined && !flags.all && hasPassed(name, played)) {
    console.log('floor       passed, and neither its tests nor what Parley uses of VS Code have changed since');
    return [];
  }
  const layer = open(name);
  if (cannotRun(layer, true, noBrowser, inWindows ? await prepareWine() : undefined)) return [];
  const release = name === 'floor' ? 'floor' : 'latest';
  /** @type {Job['run']} */
  const run = async (report) => {
    await vscodeServer(console.log, release);
    const parts = newOnes
      ? newNames
      : filter !== ''
        ? [filter]
        : name === 'floor'
          ? floorTests
          : flags.selected
            ? selectedInWindows
            : [''];
    const picked = parts.join('|');
    if (name !== 'windows-integration') {
      const repeated = times > 1 ? new RepeatedReport() : undefined;
      await runSuite(name, picked, repeated ?? report);
      repeated?.passTo(report);
    } else if (wine) {
      const { runInWindows } = await import('./windows/integration.mjs');
      await runInWindows(wine, picked, report);
    }
    if (newOnes || filter !== '' || layer.failures.length > 0) return;
    await notePasses(name, files, keys, [], !flags.selected);
    if (played !== undefined) await noteKey(name, played);
  };
  return [{ name, layer, share: 'window', run }];
}

/**
 * Where VS Code's server can't run, a layer that needs it counts as skipped and says what to do. Without a browser it fails.
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

/** The path of a file in the project. @param {string} file */
function pathOf(file) {
  return relative(root, file).replaceAll('\\', '/');
}

/** With `--new`, patterns for the tests of a file that are to run; undefined for all of them. @param {string} file */
function namesIn(file) {
  const names = newOnes?.get(pathOf(file));
  return names === undefined || names === 'all' ? undefined : names.map(({ pattern }) => pattern);
}

/** Why a step failed; undefined if it didn't. @param {Promise<unknown>} step */
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
