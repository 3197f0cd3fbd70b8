// @ts-check
// What processes of tests and checks note about themselves (inTest.cjs).
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';

/** @typedef {{ reads: readonly string[] }} ProcessRecord paths in the project, relative to it */

const folder = inRoot('out', `records-${process.pid}`);

/** Flags for Node with which a process notes what it read. */
export const recordFlags = ['--require', inRoot('test', 'runner', 'inTest.cjs')];

/** From now on, processes that get the flags write their records. */
export async function startRecords() {
  await mkdir(folder, { recursive: true });
  process.env['PARLEY_TEST_RECORDS'] = folder;
}

/**
 * The record of a process that has exited; undefined if it was killed.
 * @param {string} program the path it was started with
 * @returns {Promise<ProcessRecord | undefined>}
 */
export async function takeRecord(program) {
  const file = join(folder, `${encodeURIComponent(program)}.json`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  await rm(file, { force: true });
  return text === undefined ? undefined : JSON.parse(text);
}

export async function removeRecords() {
  await rm(folder, { recursive: true, force: true });
}
