// @ts-check
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Variable whose value marks everything that a test run, or one server in it, has started. */
export const runMark = 'PARLEY_TEST_RUN';
export const serverMark = 'PARLEY_TEST_SERVER';

/** @typedef {{ pid: number, command: string }} FoundProcess */

/**
 * Running processes whose environment holds `name=value`, this one left out. Linux only; empty elsewhere.
 * @param {string} name
 * @param {string} value
 * @returns {Promise<FoundProcess[]>}
 */
export async function processesWith(name, value) {
  if (process.platform !== 'linux') return [];
  const found = [];
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environment = await environmentOf(pid);
    if (!environment.split('\0').includes(`${name}=${value}`)) continue;
    const command = readNow(`/proc/${pid}/cmdline`) ?? '';
    found.push({ pid, command: command.replaceAll('\0', ' ').trim() });
  }
  return found;
}

/**
 * What stands in a file of /proc, out of the kernel's memory: to ask for it through another thread takes several times as long.
 * @param {string} path
 */
function readNow(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** How long a process may look as if it had no environment before that is believed, in milliseconds. */
const bareAfterMs = 500;
/** Processes that really have none, so that they are waited for only once. @type {Set<number>} */
const bare = new Set();

/**
 * While a process changes to another program, Linux shows its environment as empty. What has ended, collected or not, cannot
 * be read at all.
 * @param {number} pid
 */
async function environmentOf(pid) {
  const deadline = performance.now() + bareAfterMs;
  for (;;) {
    const environment = readNow(`/proc/${pid}/environ`);
    if (environment === undefined) return '';
    if (environment === '' && performance.now() > deadline) bare.add(pid);
    if (environment !== '' || bare.has(pid)) return environment;
    await delay(2); // No event tells of it.
  }
}

/**
 * Waits until no process holds `name=value`, ends those that are left when the time is up, and gives them back.
 * @param {string} name
 * @param {string} value
 * @param {number} graceMs
 * @param {(found: FoundProcess) => boolean} [isLeft] says which aren't waited for and may run on
 * @returns {Promise<FoundProcess[]>} what had to be ended; empty when everything ended by itself
 */
export async function endProcessesWith(name, value, graceMs, isLeft = () => false) {
  const until = Date.now() + graceMs;
  const find = async () => (await processesWith(name, value)).filter((found) => !isLeft(found));
  let left = await find();
  while (left.length > 0 && Date.now() < until) {
    await delay(100); // Processes of others: there is no event to wait for.
    left = await find();
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself in this moment.
    }
  }
  return left;
}
