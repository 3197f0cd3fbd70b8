// @ts-check
import { spawn } from 'node:child_process';

/** @typedef {import('./report.mjs').Outcome} Outcome */

/** Collects the outcomes of tests that run several times, and reports each test once. */
export class RepeatedReport {
  /** By name and file. @type {Map<string, Outcome[]>} */
  #outcomes = new Map();

  /** @param {Outcome} outcome */
  add(outcome) {
    const id = `${outcome.file ?? ''}\0${outcome.name}`;
    this.#outcomes.set(id, [...(this.#outcomes.get(id) ?? []), outcome]);
  }

  /** Reports what was collected: a test that failed once has failed. @param {import('./schedule.mjs').Report} report */
  passTo(report) {
    for (const outcomes of this.#outcomes.values()) {
      const failed = outcomes.filter(({ error }) => error !== undefined);
      const [first] = failed.length > 0 ? failed : outcomes;
      if (!first) continue;
      if (first.skipped) report.add(first);
      else if (failed.length === 0) report.add({ ...first, note: `${outcomes.length} times` });
      else report.add({ ...first, error: `Failed in ${failed.length} of ${outcomes.length} runs.\n${first.error}` });
    }
    this.#outcomes.clear();
  }
}

/** Keeps a processor busy until the returned function is called, so that races show. @returns {() => void} */
export function keepBusy() {
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  return () => void child.kill('SIGKILL');
}
