// @ts-check
// The folder with a release that was built and checked. Needs no packages, because publishing happens where none of Parley's are installed.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inRoot } from '../root.mjs';

export const folder = inRoot('dist', 'release');

/** The list of its files with their sums, in the form of `sha256sum`. */
export const sums = join(folder, 'SHA256SUMS');

/** Resolves to the absolute paths of the packages. */
export async function packages() {
  return (await files()).filter((file) => file.endsWith('.vsix')).map((file) => join(folder, file));
}

/** Resolves to what the list of sums says if nothing has changed. */
export async function sumsOf() {
  const lines = (await files()).map(async (file) => `${await hashOf(join(folder, file))}  ${file}\n`);
  return (await Promise.all(lines)).join('');
}

/** @param {string} file */
export async function hashOf(file) {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

async function files() {
  return (await readdir(folder)).filter((file) => file !== basename(sums)).sort();
}
