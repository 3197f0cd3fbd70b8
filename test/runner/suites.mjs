// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { inRoot } from '../root.mjs';
import { layerMark } from './processorTime.mjs';

/**
 * Runs the suites of an extension host in a process of their own.
 * @param {'integration' | 'floor' | 'conformance-window'} name
 * @param {string} filter parts of the names of tests, separated by `|`; empty for all
 * @param {import('./schedule.mjs').Report} report
 */
export async function runSuite(name, filter, report) {
  const child = fork(inRoot('test', 'runner', 'suite.mjs'), [name, filter], {
    env: { ...process.env, [layerMark]: name },
  });
  child.on('message', (/** @type {import('./report.mjs').Outcome} */ outcome) => report.add(outcome));
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`The suites ended with ${signal ?? code}.`);
}
