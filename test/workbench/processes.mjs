// @ts-check
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The variable that marks all processes of a test run, or of one server in it. */
export const runMark = 'PARLEY_TEST_RUN';
export const serverMark = 'PARLEY_TEST_SERVER';

/** @typedef {{ pid: number, command: string }} FoundProcess */

/**
 * Finds other running processes with `name=value` in their environment. Only on Linux; otherwise empty.
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
 * Reads a file in /proc synchronously, because asynchronous reads take several times as long.
 * @param {string} path
 */
function readNow(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** How long an environment may appear empty before it counts as empty, in milliseconds. */
const bareAfterMs = 500;
/** Processes without an environment, so that each is waited for only once. @type {Set<number>} */
const bare = new Set();

/**
 * Linux shows an empty environment while a process starts another program. The environment of an exited process can't be
 * read.
 * @param {number} pid
 */
async function environmentOf(pid) {
  const deadline = performance.now() + bareAfterMs;
  for (;;) {
    const environment = readNow(`/proc/${pid}/environ`);
    if (environment === undefined) return '';
    if (environment === '' && performance.now() > deadline) bare.add(pid);
    if (environment !== '' || bare.has(pid)) return environment;
    await delay(2); // There is no event for this.
  }
}

/**
 * Waits until no process has `name=value`. After the timeout, kills the remaining ones and resolves to them.
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
    await delay(100); // There is no event for processes of others.
    left = await find();
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just exited by itself.
    }
  }
  return left;
}
