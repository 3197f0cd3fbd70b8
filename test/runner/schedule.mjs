// @ts-check
import { cpus, totalmem } from 'node:os';
import { processorSeconds } from './processorTime.mjs';

/** @typedef {import('./report.mjs').Outcome} Outcome */
/** @typedef {{ add(outcome: Outcome): void }} Report */

/**
 * One piece of a test run that depends on no other piece.
 * @typedef {object} Job
 * @property {string} name for example "e2e test/e2e/turn.test.ts"
 * @property {import('./report.mjs').Layer} layer ends with its last job
 * @property {Share} share
 * @property {(report: Report) => Promise<number | void>} run reports the outcomes, and resolves to the seconds of processor time that it took,
 * if it knows
 */

/**
 * How much of the machine a job needs for itself: one processor; two, as a window of VS Code, its server, its browser, and its agents do; or
 * everything, because it measures.
 * @typedef {'processor' | 'window' | 'machine'} Share
 */

/** Memory that a window of VS Code needs with its server, its agent, and a browser. */
const memoryOfJob = 2 ** 31;

/**
 * Runs jobs of different layers: first those that need one processor, side by side, then the windows, then what measures. Nothing runs
 * beside a window on two processors: what waits too long for them fails. Jobs of one kind start in their order, so those that take long
 * come first.
 * @param {readonly Job[]} jobs
 * @returns {Promise<void>} resolves when all have run; a job that rejects is a failure of its layer
 */
export async function runJobs(jobs) {
  const left = new Map([...new Set(jobs.map(({ layer }) => layer))].map((layer) => [layer, 0]));
  for (const { layer } of jobs) left.set(layer, (left.get(layer) ?? 0) + 1);

  for (const [share, processors] of /** @type {const} */ ([
    ['processor', 1],
    ['window', 2],
    ['machine', Infinity],
  ])) {
    const queue = jobs.filter((job) => job.share === share);
    const slots = Math.max(1, Math.floor(Math.min(cpus().length / processors, totalmem() / memoryOfJob)));
    const work = async () => {
      for (let job = queue.shift(); job; job = queue.shift()) {
        const { layer } = job;
        layer.begin();
        const before = await processorSeconds();
        const took = await runOne(job, layer);
        layer.pause(took ?? (slots === 1 ? (await processorSeconds()) - before : 0));
        const others = (left.get(layer) ?? 1) - 1;
        left.set(layer, others);
        if (others === 0) layer.end();
      }
    };
    await Promise.all(Array.from({ length: slots }, work));
  }
}

/** @param {Job} job @param {Report} report @returns {Promise<number | void>} */
async function runOne(job, report) {
  try {
    return await job.run(report);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report.add({ name: job.name, error: text });
  }
}
