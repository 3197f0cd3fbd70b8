// @ts-check
import { readdir, readFile } from 'node:fs/promises';
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
    // Either file is gone as soon as its process is; a process that has ended but was not collected has no environment.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (!environment.split('\0').includes(`${name}=${value}`)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    found.push({ pid, command: command.replaceAll('\0', ' ').trim() });
  }
  return found;
}

/**
 * Waits until no process holds `name=value`, ends those that are left when the time is up, and gives them back.
 * @param {string} name
 * @param {string} value
 * @param {number} graceMs
 * @returns {Promise<FoundProcess[]>} what had to be ended; empty when everything ended by itself
 */
export async function endProcessesWith(name, value, graceMs) {
  const until = Date.now() + graceMs;
  let left = await processesWith(name, value);
  while (left.length > 0 && Date.now() < until) {
    await delay(100); // Processes of others: there is no event to wait for.
    left = await processesWith(name, value);
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
