import { reportPrefix, runTests, type TestReport } from './api';
import { prepareFolders } from './filesSupport';
import { untilFolder } from './untilFolder';

/**
 * The entry point for VS Code: runs every suite of the bundle inside the extension host, and rejects if a test failed.
 * `PARLEY_TEST_FILTER` selects tests by a part of their name. `PARLEY_TEST_LEFT` is JSON with names of tests to leave out, and the reasons. `PARLEY_TEST_REPORT=plain` writes a readable report.
 */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  await untilFolder();
  prepareFolders();
  const plain = process.env['PARLEY_TEST_REPORT'] === 'plain';
  const left = new Map(JSON.parse(process.env['PARLEY_TEST_LEFT'] ?? '[]') as [string, string][]);
  const report = (line: TestReport) => {
    if (!plain) console.log(reportPrefix + JSON.stringify(line));
    else if (line.type !== 'start') console.log(resultText(line));
  };
  const failed = await runTests(process.env['PARLEY_TEST_FILTER'] ?? '', report, left);
  if (failed > 0) throw new Error(`${failed} failed`);
}

function resultText(line: Exclude<TestReport, { type: 'start' }>): string {
  switch (line.type) {
    case 'pass':
      return `✓ ${line.name} (${line.durationMs} ms)`;
    case 'skip':
      return `- ${line.name} skipped: ${line.reason}`;
    case 'fail':
      return `✗ ${line.name} (${line.durationMs} ms)\n${line.error}`;
    case 'end':
      return `${line.passed} passed, ${line.failed} failed, ${line.skipped} skipped`;
  }
}
