// @ts-check
import { cpus, totalmem } from 'node:os';

/** @typedef {import('./report.mjs').Outcome} Outcome */
/** @typedef {{ add(outcome: Outcome): void }} Report */

/**
 * One piece of a test run that depends on no other piece.
 * @typedef {object} Job
 * @property {string} name for example "e2e test/e2e/turn.test.ts"
 * @property {import('./report.mjs').Layer} layer ends with its last job
 * @property {Share} share
 * @property {(report: Report) => Promise<void>} run reports the outcomes
 */

/**
 * How much of the machine a job needs: one processor; a window of VS Code with its server, its browser, and its agents; or everything,
 * because it measures.
 * @typedef {'processor' | 'window' | 'machine'} Share
 */

/** Memory that a window of VS Code needs with its server, its agent, and a browser. */
const memoryOfWindow = 2 ** 31;

/**
 * How many jobs of each lane may run now. Half of the processors are for windows as long as there is other work, and all of them when there
 * is none; what opens no window has the processors that windows leave, but always one.
 * @param {{ processors: number, windows: number, others: number, othersWait: boolean, mostWindows: number }} now how many windows and other
 * jobs run, and whether others wait
 */
export function roomFor({ processors, windows, others, othersWait, mostWindows }) {
  const forWindows = othersWait ? Math.floor(processors / 2) : processors - others;
  return {
    windows: Math.min(mostWindows, Math.max(1, forWindows)),
    others: Math.max(1, processors - windows),
  };
}

/**
 * Runs jobs of different layers in two lanes: windows in one, and beside them what opens no window. What measures comes last, alone. Jobs of
 * a lane start in their order, so those that take long come first.
 * @param {readonly Job[]} jobs
 * @param {{ processors?: number, mostWindows?: number }} [machine]
 * @returns {Promise<void>} resolves when all have run; a job that rejects is a failure of its layer
 */
export async function runJobs(jobs, machine = {}) {
  const { processors = cpus().length, mostWindows = Math.max(1, Math.floor(totalmem() / memoryOfWindow)) } = machine;
  const left = new Map([...new Set(jobs.map(({ layer }) => layer))].map((layer) => [layer, 0]));
  for (const { layer } of jobs) left.set(layer, (left.get(layer) ?? 0) + 1);

  const run = async (/** @type {Job} */ job) => {
    const { layer } = job;
    layer.begin();
    await runOne(job, layer);
    layer.pause();
    const others = (left.get(layer) ?? 1) - 1;
    left.set(layer, others);
    if (others === 0) layer.end();
  };

  const windows = jobs.filter(({ share }) => share === 'window');
  const others = jobs.filter(({ share }) => share === 'processor');
  /** @type {Set<Promise<void>>} */
  const openWindows = new Set();
  /** @type {Set<Promise<void>>} */
  const running = new Set();
  const start = (/** @type {Job[]} */ queue, /** @type {Set<Promise<void>>} */ lane) => {
    const job = queue.shift();
    if (!job) return false;
    const ended = run(job).finally(() => lane.delete(ended));
    lane.add(ended);
    return true;
  };
  for (;;) {
    const room = () =>
      roomFor({
        processors,
        windows: openWindows.size,
        others: running.size,
        othersWait: others.length > 0,
        mostWindows,
      });
    if (openWindows.size < room().windows && start(windows, openWindows)) continue;
    if (running.size < room().others && start(others, running)) continue;
    if (openWindows.size + running.size === 0) break;
    await Promise.race([...openWindows, ...running]);
  }
  for (const job of jobs) if (job.share === 'machine') await run(job);
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
