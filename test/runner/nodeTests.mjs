// @ts-check
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { outcomeOf, shortName } from './outcome.mjs';

/**
 * Runs a bundled test file with Node's own test runner, in a process of its own.
 * @param {string} testFile
 * @param {import('./schedule.mjs').Report} report
 * @param {number} timeoutMs for the whole file
 */
export async function runNodeTests(testFile, report, timeoutMs) {
  // Node hands its own flags on to the processes of the files.
  if (!process.execArgv.includes('--enable-source-maps')) process.execArgv.push('--enable-source-maps');
  /** What the file printed to standard error: the cause when it could not be loaded. */
  let printed = '';
  const events = run({ files: [testFile], timeout: timeoutMs });
  events.on('test:stderr', ({ message }) => {
    printed = (printed + message).slice(-6000);
  });
  for (const type of /** @type {const} */ (['test:pass', 'test:fail'])) {
    events.on(type, (/** @type {{ name: string }} */ data) => {
      const outcome = outcomeOf({ type, data });
      if (outcome === undefined) return;
      if (data.name !== testFile) report.add(outcome);
      else {
        const name = shortName(testFile) ?? testFile;
        const error = outcome.error === undefined ? 'The file holds no test.' : `${outcome.error}\n${printed}`;
        report.add({ ...outcome, name, error });
      }
    });
  }
  // The stream must be read to its end, or the events stop.
  await finished(events.resume());
}
