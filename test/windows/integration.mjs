// @ts-check
import { runIntegration } from '../integration/run.mjs';
import { limits, withLimits } from './limits.mjs';

/**
 * Runs the integration suites in an extension host on Windows.
 * @param {import('./wine.mjs').Wine} wine
 * @param {string} filter
 * @param {import('../runner/schedule.mjs').Report} report
 */
export async function runInWindows(wine, filter, report) {
  const onResult = withLimits(report).add;
  const slow = limits.filter((limit) => limit.slow && filter === '').map(({ name, why }) => [name, why]);
  const env = { PARLEY_TEST_LEFT: JSON.stringify(slow), PARLEY_TEST_SHARE: await wine.share() };
  await runIntegration({ release: 'latest', filter, wine, env, onResult });
}
