// @ts-check
// Remembers which checks and test files passed on this machine, so that they don't run again on the same. A pass is a file, named by a digest of
// everything that is known beforehand to count. It contains digests of what a test read besides.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot, root } from '../root.mjs';
import { cacheFolder } from '../workbench/cache.mjs';

const passedFolder = () => join(cacheFolder(), 'checks', 'passed');
const keptMs = 14 * 24 * 60 * 60_000;
/** What checks write or don't read: the built product and the output of tests. */
const left = new Set(['.git', 'node_modules', 'dist', 'out', '.vscode-test']);

/**
 * A digest of the Node version, of every file of the project, and of the installed packages: their names, sizes, and versions.
 * @returns {Promise<string>}
 */
export async function projectKey() {
  const hash = createHash('sha256').update([process.version, process.platform, process.arch].join('\0'));
  const entries = (await readdir(root)).sort().filter((entry) => !left.has(entry));
  await addFiles(hash, entries);
  hash.update(await readFile(inRoot('node_modules', '.package-lock.json')).catch(() => ''));
  for (const path of await pathsUnder('node_modules')) {
    // Tools keep caches there, too.
    if (!path.startsWith(join('node_modules', '.'))) hash.update(`\0${path}\0${(await lstat(inRoot(path))).size}`);
  }
  return hash.digest('hex');
}

/**
 * Adds the names and contents of files and of everything below folders. `isLeft` says which don't count.
 * @param {import('node:crypto').Hash} hash
 * @param {readonly string[]} entries of the project
 * @param {(path: string, content: Buffer) => boolean} [isLeft]
 */
export async function addFiles(hash, entries, isLeft = () => false) {
  for (const entry of entries) {
    for (const path of await pathsUnder(entry)) {
      const content = await readFile(inRoot(path));
      if (!isLeft(path, content)) hash.update(`\0${path}\0`).update(content);
    }
  }
}

/** Files below a folder of the project, or the file itself. Links to folders are followed only at the top. @param {string} path @returns {Promise<string[]>} */
async function pathsUnder(path) {
  if (!(await stat(inRoot(path))).isDirectory()) return [path];
  const entries = await readdir(inRoot(path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}

/** Whether a check passed on the project with this key. @param {string} check @param {string} key */
export function hasPassed(check, key) {
  return existsSync(passFile(check, key));
}

/**
 * Notes that a check passed on the project with this key, unless the project has changed since the key was made.
 * @param {string} check
 * @param {string} key
 */
export async function notePassed(check, key) {
  if ((await projectKey()) === key) await noteKey(check, key);
}

/**
 * Notes that a check passed on what the key was made of.
 * @param {string} check
 * @param {string} key
 * @param {Readonly<Record<string, string>>} [reads] digests of what it read besides, by path
 */
export async function noteKey(check, key, reads = {}) {
  await (tidied ??= tidy());
  const file = passFile(check, key);
  // Another run may be reading it.
  await writeFile(`${file}.${process.pid}`, JSON.stringify(reads));
  await rename(`${file}.${process.pid}`, file);
}

/**
 * What a check read besides when it passed with this key; undefined if it didn't pass.
 * @param {string} check
 * @param {string} key
 * @returns {Promise<Record<string, string> | undefined>}
 */
export async function readsOf(check, key) {
  const text = await readFile(passFile(check, key), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text || '{}');
}

/** Removes old passes, once in a run. @type {Promise<void> | undefined} */
let tidied;

async function tidy() {
  const folder = passedFolder();
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > keptMs) await rm(join(folder, name), { force: true });
  }
}

/** @param {string} check @param {string} key */
function passFile(check, key) {
  return join(passedFolder(), createHash('sha256').update(`${check}\0${key}`).digest('hex'));
}
