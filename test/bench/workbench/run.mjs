// @ts-check
// Measures the packaged extension in a real VS Code by the page's clock. Prints a table and one line of JSON.
//   node test/bench/workbench/run.mjs [--rounds N] [--no-build] [--floor]
// `--floor` measures only what is compared with the floor: an extension that appends raw text.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inRoot, root } from '../../root.mjs';
import { startBrowser } from '../../workbench/browser.mjs';
import { installedExtension } from '../../workbench/installed.mjs';
import { run } from '../../workbench/run.mjs';
import { startServer } from '../../workbench/server.mjs';
import { Workbench } from '../../workbench/workbench.mjs';
import { withActivationProbe } from './activationProbe.mjs';
import { besideFloor } from './besideFloor.mjs';
import { addFloor } from './floor.mjs';
import { bigFile, lensDebounceMs, lensTimes, listTime, manyFilesTimes } from './reviewBench.mjs';
import { ChatBench, benchAgent, percentile } from './chatBench.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    'no-build': { type: 'boolean', default: false },
    floor: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);

/** @typedef {{ name: string, value: number, budget: number }} Row milliseconds */

/** Runs one kind of turn in new sessions. Resolves to the median and the longest task. @param {ChatBench} bench @param {string} name @param {number} count @param {number} times */
async function turns(bench, name, count, times) {
  const all = [];
  for (let round = 0; round < times; round += 1) {
    await bench.newSession();
    all.push(await bench.turn(name, count));
  }
  return {
    ms: percentile(
      all.map(({ ms }) => ms),
      0.5,
    ),
    longestTask: Math.max(...all.map(({ longestTask }) => longestTask)),
  };
}

/** Measures the milliseconds from opening the chat, with one click on Try, to the tour's first request. @param {Workbench} workbench */
async function tourTime(workbench) {
  const began = performance.now();
  await workbench.runCommand('Parley: Open Chat');
  const chat = await workbench.chatFrame();
  await chat.getByRole('button', { name: 'Try Tour agent' }).click();
  await chat.getByRole('group', { name: /^Permission: / }).waitFor();
  const ms = performance.now() - began;
  await chat.getByRole('button', { name: 'Stop' }).click();
  await chat.locator('[role=feed][aria-busy=false]').waitFor();
  await workbench.runCommand('Parley: Close Session');
  await chat.getByRole('button', { name: 'Try Tour agent' }).waitFor();
  return ms;
}

/** @param {ChatBench} bench @param {string} folder of the workspace @param {number} activation milliseconds @param {readonly string[]} used @param {number} tour milliseconds @returns {Promise<Row[]>} */
async function measure(bench, folder, activation, used, tour) {
  /** @type {Row[]} */
  const rows = [];
  const add = (/** @type {string} */ name, /** @type {number} */ value, /** @type {number} */ budget) => {
    rows.push({ name, value, budget });
    console.log(`${name.padEnd(56)}${value.toFixed(1).padStart(9)} ms of ${String(budget).padStart(5)}`);
  };
  add('activate()', activation, 20);
  for (const what of used) console.log(`  before the user acts: ${what}`);
  rows.push({ name: 'files opened and processes started before the user acts', value: used.length, budget: 0 });
  add('Open Chat and Try, to the tour’s first request', tour, 10_000);
  const chunks = await turns(bench, 'chunks', 5000, rounds);
  add('5,000 chunks of markdown, Enter to screen', chunks.ms, 500);
  add('5,000 chunks of markdown, longest task of the page', chunks.longestTask, 50);
  add('50,000 chunks of markdown', (await turns(bench, 'chunks', 50_000, 1)).ms, 5000);
  add('200 tool calls with diffs', (await turns(bench, 'diffs', 200, rounds)).ms, 500);
  const replays = [];
  for (let round = 1; round <= Math.min(rounds, 5); round += 1) replays.push(await bench.replay(round));
  add('300 turns replayed, from the list of sessions to screen', percentile(replays, 0.5), 600);
  await bench.newSession();
  const empty = await bench.paced(600);
  add('60 chunks/s, agent to screen, empty session, median', percentile(empty, 0.5), 16);
  add('60 chunks/s, agent to screen, empty session, p95', percentile(empty, 0.95), 33);
  await bench.newSession();
  await bench.turn('chunks', 5000);
  const full = await bench.paced(600);
  add('60 chunks/s after 5,000 chunks, median', percentile(full, 0.5), 16);
  add('60 chunks/s after 5,000 chunks, p95', percentile(full, 0.95), 33);
  const waited = ` (VS Code waits ${lensDebounceMs} of them)`;
  add(`500 changes: Keep to lenses${waited}`, percentile(await lensTimes(bench, 5), 0.5), lensDebounceMs + 100);
  add('200 changed files, unfolded in the chat', await listTime(bench), 200);
  const { listed, undone } = await manyFilesTimes(bench, folder);
  add('2,000 new files, listed after the end of the turn', listed, 3000);
  add('2,000 new files, Undo all', undone, 10_000);
  return rows;
}

/**
 * Resolves to the files and processes that Parley has opened and started by itself some time after its activation.
 * @param {Awaited<ReturnType<typeof withActivationProbe>>} probe
 */
async function untilActive(probe) {
  while ((await probe.times().catch(() => undefined)) === undefined) await delay(50);
  // The search for sessions is repeated after three seconds.
  await delay(4000);
  return probe.used();
}

if (!values['no-build']) await run(process.execPath, [inRoot('test', 'package.mjs')], { cwd: root });
const probe = await withActivationProbe(await installedExtension());
await addFloor(probe.folder);
// The start page has the tour only for somebody without an agent.
const server = await startServer({ extensionsFolder: probe.folder });
const browser = await startBrowser();
/** @type {Row[]} */
let rows = [];
/** @type {import('./besideFloor.mjs').Beside[]} */
let beside;
try {
  const folder = await server.workspace();
  await writeFile(join(folder, 'big.ts'), bigFile);
  const workbench = await Workbench.open(browser, server, folder);
  // The palette lists Parley's commands only once Parley is loaded. So far, no command was used.
  const used = await untilActive(probe);
  const tour = await tourTime(workbench);
  await server.changeSettings({ 'parley.agents': benchAgent(process.execPath) });
  await (await workbench.chatFrame()).getByRole('button', { name: /^Start / }).waitFor();
  const bench = new ChatBench(workbench);
  await bench.newSession();
  beside = await besideFloor(bench, rounds);
  if (!values.floor) rows = await measure(bench, folder, (await probe.times()).activate, used, tour);
  await workbench.close();
} finally {
  await browser.close();
  await server.stop();
  await rm(probe.folder, { recursive: true, force: true });
}
const figures = [...beside.map(({ name, ratio }) => ({ name: `${name}, times the floor`, value: ratio })), ...rows].map(
  ({ name, value }) => [name, Number(value.toFixed(1))],
);
console.log(JSON.stringify(Object.fromEntries(figures)));
const isOver =
  rows.some(({ value, budget }) => !(value <= budget)) || beside.some(({ ratio, budget }) => !(ratio <= budget));
process.exit(isOver ? 1 : 0);
