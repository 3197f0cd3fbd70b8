// @ts-check
import { runIntegration } from '../integration/run.mjs';
import { withLimits } from './limits.mjs';

/**
 * Runs the integration suites in an extension host of Windows.
 * @param {import('./wine.mjs').Wine} wine
 * @param {string} filter
 * @param {import('../runner/schedule.mjs').Report} report
 */
export async function runInWindows(wine, filter, report) {
  const onResult = withLimits(report).add;
  await runIntegration({ release: 'latest', filter, wine, onResult });
}
