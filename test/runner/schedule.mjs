// @ts-check
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../workbench/cache.mjs';

/** @typedef {import('./report.mjs').Outcome} Outcome */
/** @typedef {{ add(outcome: Outcome): void }} Report */

/**
 * One piece of a test run that depends on no other piece.
 * @typedef {object} Job
 * @property {string} name unique and the same in every run, for example "e2e test/e2e/turn.test.ts"
 * @property {import('./report.mjs').Layer} layer ends with its last job
 * @property {boolean} [inBackground] whether its processes give way to others, so that it may run beside as many jobs as there are processors
 * @property {(report: Report) => Promise<void>} run tells what happened
 */

/** What a job weighs whose time is not known yet, in milliseconds. */
const unknown = 60_000;
/** A window of VS Code with its server, its agent and a browser fits into this many bytes. */
const memoryOfJob = 2 ** 31;

/**
 * Runs jobs from different layers side by side, one for every two processors if there is memory for them, and one more that gives way to
 * them: a window, its browser and its agents keep two processors busy, and what waits too long for them fails. The ones that took longest
 * the last time start first, so that no long one is left at the end.
 * @param {readonly Job[]} jobs
 * @param {{ remembers: boolean }} options whether the next run is to go by the times of this one
 * @returns {Promise<void>} resolves when all have run; a job that rejects is a failure of its layer
 */
export async function runJobs(jobs, { remembers }) {
  const timings = await readTimings();
  const left = new Map([...new Set(jobs.map(({ layer }) => layer))].map((layer) => [layer, 0]));
  for (const { layer } of jobs) left.set(layer, (left.get(layer) ?? 0) + 1);

  const work = async (/** @type {Job[][]} */ ...queues) => {
    const take = () => queues.find(({ length }) => length > 0)?.shift();
    for (let job = take(); job; job = take()) {
      const { name, layer } = job;
      const start = Date.now();
      layer.begin();
      await runOne(job, layer);
      timings[name] = Date.now() - start;
      const others = (left.get(layer) ?? 1) - 1;
      left.set(layer, others);
      if (others === 0) layer.end();
    }
  };

  const weight = (/** @type {Job} */ job) => timings[job.name] ?? unknown;
  const sorted = jobs.toSorted((one, other) => weight(other) - weight(one));
  const first = sorted.filter(({ inBackground }) => inBackground !== true);
  const background = sorted.filter(({ inBackground }) => inBackground === true);
  const slots = Math.max(1, Math.min(Math.floor(cpus().length / 2), Math.floor(totalmem() / memoryOfJob)));
  await Promise.all([work(background), ...Array.from({ length: slots }, () => work(first, background))]);
  if (remembers) await writeTimings(timings);
}

/** @param {Job} job @param {Report} report */
async function runOne(job, report) {
  try {
    await job.run(report);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report.add({ name: job.name, error: text });
  }
}

const timingsFile = () => join(cacheFolder(), 'timings.json');

/** How long each job took when it ran last, in milliseconds. @returns {Promise<Record<string, number>>} */
async function readTimings() {
  try {
    return JSON.parse(await readFile(timingsFile(), 'utf8'));
  } catch {
    return {}; // The first run, or a file cut short: the order is then only less good.
  }
}

/** @param {Record<string, number>} timings */
async function writeTimings(timings) {
  try {
    await mkdir(cacheFolder(), { recursive: true });
    await writeFile(timingsFile(), JSON.stringify(timings));
  } catch {
    // Nothing but the order of the next run depends on it.
  }
}
