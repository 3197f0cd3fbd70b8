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
 * @property {boolean} [canRepeat] whether a test of it that failed may run once more: it drives a window, which a busy machine disturbs
 * @property {(report: Report, names?: readonly string[]) => Promise<void>} run tells what happened; with names, of those tests at least
 */

/** More failures than this are no bad luck. */
const maxRepeated = 3;

/** What a job weighs whose time is not known yet, in milliseconds. */
const unknown = 60_000;
/** A window of VS Code with its server, its agent and a browser fits into this many bytes. */
const memoryOfJob = 2 ** 31;

/**
 * Runs jobs from different layers side by side, as many as the machine has processors and memory for, and one more that gives way to
 * them: a window waits for its other processes now and then. The ones that took longest the last time start first, so that no long one
 * is left at the end.
 * @param {readonly Job[]} jobs
 * @param {{ remembers: boolean }} options whether the next run is to go by the times of this one
 * @returns {Promise<void>} resolves when all have run; a job that rejects is a failure of its layer
 */
export async function runJobs(jobs, { remembers }) {
  const timings = await readTimings();
  const left = new Map([...new Set(jobs.map(({ layer }) => layer))].map((layer) => [layer, 0]));
  for (const { layer } of jobs) left.set(layer, (left.get(layer) ?? 0) + 1);

  /** @type {Map<Job, Outcome[]>} */
  const failed = new Map(jobs.map((job) => [job, []]));
  const work = async (/** @type {Job[][]} */ ...queues) => {
    const take = () => queues.find(({ length }) => length > 0)?.shift();
    for (let job = take(); job; job = take()) {
      const { name, layer } = job;
      const start = Date.now();
      layer.begin();
      const report = {
        add: (/** @type {Outcome} */ outcome) => {
          layer.add(outcome);
          if (outcome.error !== undefined) failed.get(job)?.push(outcome);
        },
      };
      await runOne(job, report);
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
  const slots = Math.max(1, Math.min(cpus().length, Math.floor(totalmem() / memoryOfJob)));
  await Promise.all([work(background), ...Array.from({ length: slots }, () => work(first, background))]);
  await repeat(failed);
  if (remembers) await writeTimings(timings);
}

/** @param {Job} job @param {Report} report @param {readonly string[]} [names] */
async function runOne(job, report, names) {
  try {
    await job.run(report, names);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report.add({ name: job.name, error: text, isFinal: true });
  }
}

/**
 * Runs the few tests that failed in a window once more, with the machine for themselves. What passes then counts as passed and
 * is named as unsteady.
 * @param {ReadonlyMap<Job, readonly Outcome[]>} failed
 */
async function repeat(failed) {
  const all = [...failed].flatMap(([job, outcomes]) => outcomes.map((outcome) => ({ job, outcome })));
  if (all.length > maxRepeated || !all.every(({ job, outcome }) => job.canRepeat && !outcome.isFinal)) return;
  for (const job of new Set(all.map((one) => one.job))) {
    const names = (failed.get(job) ?? []).map(({ name }) => name);
    console.log(`Once more, alone: ${names.map((name) => `"${name}"`).join(', ')}`);
    /** @type {Outcome[]} */
    const outcomes = [];
    await runOne(job, { add: (outcome) => void outcomes.push(outcome) }, names);
    for (const { name, error } of outcomes) if (error !== undefined) console.log(`✗ ${name}\n${error}`);
    if (outcomes.some(({ isFinal, error }) => isFinal && error !== undefined)) continue;
    for (const name of names) {
      const again = outcomes.filter((outcome) => outcome.name === name);
      if (again.length > 0 && again.every(({ error }) => error === undefined)) job.layer.passedAgain(name);
    }
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
