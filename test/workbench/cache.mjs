// @ts-check
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Where what the tests install is kept between runs, outside the project: `$PARLEY_CACHE`, else the user's cache folder. */
export function cacheFolder() {
  const own = process.env['PARLEY_CACHE'];
  if (own) return own;
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'parley-test');
}

/**
 * Makes a folder once and for all: `fill` writes into a folder of its own, which is renamed to `target` when it is
 * complete. A half-finished one is therefore never found, and processes that ask at the same time wait for the first.
 * @param {string} target absolute path
 * @param {(folder: string) => Promise<void>} fill
 * @returns {Promise<string>} `target`
 */
export async function makeOnce(target, fill) {
  if (existsSync(target)) return target;
  await mkdir(dirname(target), { recursive: true });
  return withLock(`${target}.lock`, async () => {
    if (existsSync(target)) return target;
    const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
    try {
      await fill(folder);
      await rename(folder, target);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return target;
  });
}

/**
 * Runs `action` while holding a lock file that names this process; the lock of a process that has died is taken over.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
async function withLock(file, action) {
  while (!(await take(file))) {
    if (await isStale(file)) await rm(file, { force: true });
    else await delay(500); // Another process: there is no event to wait for.
  }
  try {
    return await action();
  } finally {
    await rm(file, { force: true });
  }
}

/** @param {string} file */
async function take(file) {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
async function isStale(file) {
  const text = await readFile(file, 'utf8').catch(() => '');
  // An empty file belongs to somebody who is just about to write its number, or who died in between.
  if (text === '') {
    await delay(2000);
    return (await readFile(file, 'utf8').catch(() => 'gone')) === '';
  }
  try {
    process.kill(Number(text), 0);
    return false;
  } catch {
    return true; // No such process.
  }
}
