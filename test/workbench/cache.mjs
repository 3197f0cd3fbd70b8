// @ts-check
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The folder outside the project for everything that tests install: `$PARLEY_CACHE`, or else the user's cache folder. */
export function cacheFolder() {
  const own = process.env['PARLEY_CACHE'];
  if (own) return own;
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'parley-test');
}

/**
 * Creates a folder once: `fill` writes into a temporary folder that is renamed to `target` when complete, so nobody sees an
 * incomplete one. Simultaneous callers wait for the first.
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
 * Runs `action` while holding a lock file with this process's id. Takes over the lock of a dead process.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
async function withLock(file, action) {
  while (!(await take(file))) {
    if (await isStale(file)) await rm(file, { force: true });
    else await delay(500); // There is no event to wait for in another process.
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
  // An empty file belongs to a process that is about to write its id, or that died before.
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
