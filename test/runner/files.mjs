// @ts-check
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Files below a folder whose names end with `suffix`, sorted. None if the folder doesn't exist.
 * @param {string} folder
 * @param {string} suffix
 * @returns {Promise<string[]>}
 */
export async function filesUnder(folder, suffix) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
