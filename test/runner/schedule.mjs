// @ts-check
import { cpus, totalmem } from 'node:os';

/** @typedef {import('./report.mjs').Outcome} Outcome */
/** @typedef {{ add(outcome: Outcome): void }} Report */

/**
 * One piece of a test run that depends on no other piece.
 * @typedef {object} Job
 * @property {string} name for example "e2e test/e2e/turn.test.ts"
 * @property {import('./report.mjs').Layer} layer ends with its last job
 * @property {(report: Report) => Promise<void>} run tells what happened
 */

/** A window of VS Code with its server, its agent and a browser fits into this many bytes. */
const memoryOfJob = 2 ** 31;

/**
 * Runs jobs from different layers side by side, one for every two processors if there is memory for them: a window, its browser and its
 * agents keep two processors busy, and what waits too long for them fails. They start in their order, so those that take long come first.
 * @param {readonly Job[]} jobs
 * @returns {Promise<void>} resolves when all have run; a job that rejects is a failure of its layer
 */
export async function runJobs(jobs) {
  const left = new Map([...new Set(jobs.map(({ layer }) => layer))].map((layer) => [layer, 0]));
  for (const { layer } of jobs) left.set(layer, (left.get(layer) ?? 0) + 1);

  const queue = [...jobs];
  const work = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      const { layer } = job;
      layer.begin();
      await runOne(job, layer);
      const others = (left.get(layer) ?? 1) - 1;
      left.set(layer, others);
      if (others === 0) layer.end();
    }
  };

  const slots = Math.max(1, Math.min(Math.floor(cpus().length / 2), Math.floor(totalmem() / memoryOfJob)));
  await Promise.all(Array.from({ length: slots }, work));
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
