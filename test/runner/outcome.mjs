// @ts-check
import { relative } from 'node:path';
import { inspect } from 'node:util';
import { root } from '../root.mjs';

/** @typedef {import('./report.mjs').Outcome} Outcome */

/** Why Node skips a test that was not asked for by its name. */
const notPicked = 'test name does not match pattern';

/**
 * Reads the outcome of a test from an event of Node's test runner. Undefined for other events, and for suites, which only sum up
 * their tests unless they are skipped as a whole.
 * @param {{ type: string, data: any }} event
 * @returns {Outcome | undefined}
 */
export function outcomeOf({ type, data }) {
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  const outcome = { name: data.name, file: shortName(data.file), durationMs: data.details.duration_ms };
  if (type === 'test:pass') {
    const reason = data.skip || data.todo;
    if (data.details.type === 'suite' && !reason) return undefined;
    if (!reason) return outcome;
    if (reason === notPicked) return undefined;
    return { ...outcome, skipped: true, ...(typeof reason === 'string' && { note: reason }) };
  }
  const error = data.details.error;
  // A suite that failed only because of a test inside isn't another failure.
  if (error.failureType === 'subtestsFailed') return undefined;
  return { ...outcome, error: describe(error) };
}

/** @param {unknown} error */
function describe(error) {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  // What a test has thrown may have no text of its own.
  const text =
    cause instanceof Error ? (cause.stack ?? cause.message) : typeof cause === 'string' ? cause : inspect(cause);
  return text
    .split('\n')
    .filter((line) => !/ \((node:internal|node:async_hooks)|at node:internal/.test(line))
    .join('\n');
}

/** @param {string | undefined} file @returns {string | undefined} the path in the project */
export function shortName(file) {
  if (file === undefined) return undefined;
  return relative(root, file)
    .replaceAll('\\', '/')
    .replace(/^out\/[\w-]+\//, '');
}
