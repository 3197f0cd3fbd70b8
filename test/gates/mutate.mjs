// @ts-check
// Removes the product's gates one by one and checks that a test fails each time: `npm run test:gates [TEXT]`, on demand. TEXT is part of
// the gate's name. The sources stay as they are: the bundler replaces the one file in the tests that notice the gate.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { stop } from 'esbuild';
import { inRoot } from '../root.mjs';
import { sandboxPath } from '../workbench/sandboxPrograms.mjs';
import { endProcessesWith, runMark } from '../workbench/processes.mjs';
import { removeTempFolder, useTempFolder } from '../workbench/tempFolder.mjs';
import { bundleGate, firstFailure } from './gateRun.mjs';
import { mutations } from './mutations.mjs';

/** @typedef {import('./mutations.mjs').Mutation} Mutation */

/** How many run side by side. */
const lanes = 2;

const only = process.argv.slice(2).join(' ');
const wanted = mutations.filter(({ gate }) => gate.includes(only));
const startedAt = Date.now();
const mark = randomUUID();
process.env[runMark] = mark;
process.env['PARLEY_SANDBOX_PATH'] ??= sandboxPath();
// Tests with real agents ask the user's shell for its environment, which can take longer than everything else.
process.env['SHELL'] = '/bin/sh';
const tempFolder = useTempFolder();
// Of this process, so that another run in the same clone isn't disturbed.
const folder = `gates-${process.pid}`;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void end().finally(() => process.exit(130)));
}

/** Why gates aren't known to be noticed. @type {string[]} */
const problems = [];
/** Test files that fail while nothing is removed: what they notice counts for nothing. @type {Set<string>} */
const unsound = new Set();
let bundles = 0;
try {
  await inLanes([...new Set(wanted.flatMap(testsOf))], async (file) => {
    const why = await outcomeOf([file]);
    if (why === undefined) return;
    unsound.add(file);
    tell(`✗ ${file} fails without a change: ${why}`);
  });
  await inLanes(wanted, async (mutation) => {
    const { gate } = mutation;
    const began = performance.now();
    const sound = testsOf(mutation).filter((file) => !unsound.has(file));
    try {
      const noticed = await outcomeOf(sound, mutation);
      const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
      if (noticed === undefined) tell(`✗ ${gate}: no test fails (${took})`);
      else console.log(`✓ ${gate}: ${noticed} (${took})`);
    } catch (error) {
      tell(`✗ ${gate}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
} finally {
  await end();
}
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
if (problems.length > 0) console.log(`\n${problems.join('\n')}`);
const missed = problems.length - unsound.size;
console.log(
  `\n${wanted.length - missed} of ${wanted.length} gates have a test that fails without them (${minutes} min)`,
);
process.exit(problems.length > 0 || wanted.length === 0 ? 1 : 0);

/** @param {Mutation} mutation @returns {readonly string[]} */
function testsOf({ tests }) {
  return typeof tests === 'string' ? [tests] : tests;
}

/** @param {string} problem */
function tell(problem) {
  problems.push(problem);
  console.log(problem);
}

/**
 * Resolves to the name of the first test that fails; undefined if all pass. Rejects if they can't run or don't end.
 * @param {readonly string[]} files
 * @param {Mutation} [mutation]
 */
async function outcomeOf(files, mutation) {
  const own = `${folder}/${(bundles += 1)}`;
  for (const bundle of await bundleGate(files, own, mutation)) {
    const failed = await firstFailure(bundle);
    if (failed !== undefined) return failed;
  }
  await rm(inRoot('out', own), { recursive: true, force: true });
  return undefined;
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<void>} act
 */
async function inLanes(items, act) {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: lanes }, work));
}

/** Ends what the tests have started and removes what they and this run have written. */
async function end() {
  await stop();
  await endProcessesWith(runMark, mark, 0);
  await rm(inRoot('out', folder), { recursive: true, force: true });
  await removeTempFolder(tempFolder);
}
