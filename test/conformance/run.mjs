// @ts-check
import { runIntegration } from '../integration/run.mjs';
import { PageServer } from './pageServer.mjs';

/** @typedef {{ id: string, group: string, verdict: string }} RowResult */

const rowsPrefix = 'PARLEY_ROWS ';
const verdicts = ['passed', 'failed', 'not applicable', 'later', 'open', 'not run'];

/**
 * Plays cases of the protocol's checklist in the extension host of a real VS Code server: those that need it, or all of them in a run of
 * everything, which prints a table of the rows.
 * @param {{ filter?: string, onResult?: (outcome: import('../runner/report.mjs').Outcome) => void }} options
 */
export async function runConformance({ filter = '', onResult }) {
  const server = new PageServer();
  const port = await server.listen();
  try {
    const { output } = await runIntegration({
      release: 'latest',
      folder: 'conformance',
      env: { PARLEY_CONFORMANCE_PAGE: String(port), PARLEY_TESTS_ALL: process.env['PARLEY_TESTS_ALL'] ?? '' },
      filter,
      severalFolders: true,
      onPage: (page) => void (server.page = page),
      ...(onResult ? { onResult } : {}),
    });
    const line = output.split('\n').find((text) => text.startsWith(rowsPrefix));
    // Otherwise, most rows are played elsewhere.
    if (line && process.env['PARLEY_TESTS_ALL'] === '1') printTable(JSON.parse(line.slice(rowsPrefix.length)));
  } finally {
    server.close();
  }
}

/** @param {readonly RowResult[]} results */
function printTable(results) {
  const groups = [...new Set(results.map(({ group }) => group)), 'all'];
  const width = Math.max(...groups.map(({ length }) => length));
  const lines = groups.map((group) => {
    const ofGroup = results.filter((row) => group === 'all' || row.group === group);
    const counts = verdicts.map((verdict) => ({
      verdict,
      count: ofGroup.filter((row) => row.verdict === verdict).length,
    }));
    const words = counts.filter(({ verdict, count }) => count > 0 || verdict !== 'not run');
    return `  ${group.padEnd(width)}  ${words.map(({ verdict, count }) => `${String(count).padStart(3)} ${verdict}`).join('  ')}`;
  });
  const open = results.filter(({ verdict }) => verdict === 'open').map(({ id }) => id);
  console.log(`\nRows of the protocol:\n${lines.join('\n')}\n  open: ${open.join(' ')}\n`);
}
