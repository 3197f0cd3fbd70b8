// @ts-check
import { relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { root } from '../root.mjs';

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
  events.on('test:pass', (data) => {
    if (data.details.type === 'suite') return;
    const outcome = { name: data.name, file: shortName(data.file), durationMs: data.details.duration_ms };
    if (data.name === testFile) {
      report.add({ ...outcome, name: shortName(data.name) ?? data.name, error: 'The file holds no test.' });
    } else {
      report.add({ ...outcome, skipped: Boolean(data.skip) || Boolean(data.todo) });
    }
  });
  events.on('test:fail', (data) => {
    const error = data.details.error;
    const failureType = /** @type {{ failureType?: string }} */ (error).failureType;
    // A suite or a parent that failed only because of a test inside it is not one more failure.
    if (failureType === 'subtestsFailed') return;
    const isFile = data.name === testFile;
    const cause = describe(error);
    report.add({
      name: isFile ? (shortName(data.name) ?? data.name) : data.name,
      file: shortName(data.file),
      durationMs: data.details.duration_ms,
      error: isFile ? `${cause}\n${printed}` : cause,
    });
  });
  // The stream must be read to its end, or the events stop.
  await finished(events.resume());
}

/** @param {unknown} error */
function describe(error) {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return text
    .split('\n')
    .filter((line) => !/ \((node:internal|node:async_hooks)|at node:internal/.test(line))
    .join('\n');
}

/** @param {string | undefined} file */
function shortName(file) {
  return file === undefined ? undefined : relative(root, file).replace(/^out[\\/][\w-]+[\\/]/, '');
}
