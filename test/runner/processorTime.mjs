// @ts-check
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** @type {typeof import('./processorTime.cjs')} */
const { processorSecondsOf } = createRequire(import.meta.url)('./processorTime.cjs');

/**
 * The processor time of this process and, on Linux, of those that it started and that have ended, in seconds. A process whose parent ended
 * before it isn't counted.
 */
export async function processorSeconds() {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => undefined);
  if (stat !== undefined) return processorSecondsOf(stat);
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
