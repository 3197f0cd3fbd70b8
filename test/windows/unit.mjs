// @ts-check
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot, root } from '../root.mjs';

/** @typedef {import('../runner/schedule.mjs').Report} Report */

/**
 * Runs a bundle of unit tests with Node for Windows.
 * @param {import('./wine.mjs').Wine} wine
 * @param {string} bundle
 * @param {Report} report
 * @param {number} timeoutMs for the whole bundle
 */
export async function runUnitTests(wine, bundle, report, timeoutMs) {
  const outcomes = join(wine.prefix, `outcomes-${process.pid}-${counter++}.ndjson`);
  const reporter = `file:///Z:${encodeURI(inRoot('test', 'windows', 'reporter.mjs'))}`;
  const aid = inRoot('test', 'windows', 'wineAid.cjs');
  const { code, timedOut, printed } = await wine.run(
    [
      '--enable-source-maps',
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${wine.path(outcomes)}`,
      wine.path(bundle),
    ],
    { cwd: root, env: { NODE_OPTIONS: `--require="Z:${aid}"` }, timeoutMs },
  );
  const lines = (await readFile(outcomes, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  await rm(outcomes, { force: true });
  let failed = false;
  for (const line of lines) {
    /** @type {import('../runner/report.mjs').Outcome} */
    const outcome = JSON.parse(line);
    failed ||= outcome.error !== undefined;
    report.add(outcome);
  }
  const why = timedOut ? `It didn't end within ${timeoutMs} ms.` : `Node ended with ${code}.`;
  if (timedOut || (code !== 0 && !failed)) {
    report.add({ name: `${bundle} runs to its end`, error: `${why}\n${printed.slice(-6000)}` });
  }
}

let counter = 0;
