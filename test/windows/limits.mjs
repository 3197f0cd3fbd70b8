// @ts-check
// What can't work under Wine though it works in Windows. Each entry is one test, with the evidence. Its failure counts as skipped; a pass of
// a test that can't pass is a failure, so that nothing stays in this list that needn't be here.

/**
 * @typedef {object} Limit
 * @property {string} file the test's file
 * @property {string} name the test's name
 * @property {string} why what Wine lacks, and how that is known
 * @property {boolean} [sometimes] whether it also passes
 */

/** @type {readonly Limit[]} */
export const limits = [];

/**
 * Reports outcomes with what is known of Wine's limits.
 * @param {import('../runner/schedule.mjs').Report} report
 * @returns {import('../runner/schedule.mjs').Report}
 */
export function withLimits(report) {
  return {
    add(outcome) {
      const limit = limits.find(({ file, name }) => file === outcome.file && name === outcome.name);
      if (limit === undefined || outcome.skipped) report.add(outcome);
      else if (outcome.error !== undefined) {
        report.add({ name: outcome.name, file: outcome.file, skipped: true, note: `a limit of Wine: ${limit.why}` });
      } else if (limit.sometimes) report.add(outcome);
      else report.add({ ...outcome, error: 'It passes. Remove it from test/windows/limits.mjs.' });
    },
  };
}
