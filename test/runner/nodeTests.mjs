// @ts-check
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { outcomeOf, shortName } from './outcome.mjs';
import { recordFlags, takeRecord } from './records.mjs';

/**
 * Runs a test bundle with Node's own test runner, in a process of its own.
 * @param {string} bundle
 * @param {import('./schedule.mjs').Report} report
 * @param {number} timeoutMs for the whole bundle
 * @param {readonly RegExp[]} [names] of the tests to run; all if there are none
 * @param {AbortSignal} [signal] ends the process
 * @returns {Promise<import('./records.mjs').ProcessRecord | undefined>} undefined if the process was killed
 */
export async function runNodeTests(bundle, report, timeoutMs, names = [], signal = undefined) {
  // Node passes its own flags to the processes of the files.
  for (const flag of ['--enable-source-maps', ...recordFlags]) {
    if (!process.execArgv.includes(flag)) process.execArgv.push(flag);
  }
  /** What the process printed to standard error: the cause if the bundle couldn't be loaded. */
  let printed = '';
  const events = run({
    files: [bundle],
    timeout: timeoutMs,
    ...(signal && { signal }),
    ...(names.length > 0 && { testNamePatterns: [...names] }),
  });
  events.on('test:stderr', ({ message }) => {
    printed = (printed + message).slice(-6000);
  });
  for (const type of /** @type {const} */ (['test:pass', 'test:fail'])) {
    events.on(type, (/** @type {{ name: string }} */ data) => {
      const outcome = outcomeOf({ type, data });
      if (outcome === undefined) return;
      if (data.name !== bundle) report.add(outcome);
      else {
        const name = shortName(bundle) ?? bundle;
        const error = outcome.error === undefined ? 'The file contains no test.' : `${outcome.error}\n${printed}`;
        report.add({ ...outcome, name, error });
      }
    });
  }
  // The stream must be read to its end, or the events stop.
  await finished(events.resume());
  return takeRecord(bundle);
}
