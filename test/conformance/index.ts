import { join } from 'node:path';
import { reportPrefix, runTests, test, type TestReport } from '../integration/api';
import { projectFolder } from '../integration/projectFolder';
import { untilFolder } from '../integration/untilFolder';
import { openConnections } from './connections';
import { judge, type RowResult } from './judge';
import { askOutside } from './outside';
import { serveCallsBy } from './page';
import { cases, eachCase } from './row';
import { rows } from './rows';

/** Marks the line that holds the result of every row. */
const rowsPrefix = 'PARLEY_ROWS ';

/**
 * Entry for VS Code: plays inside the extension host what needs it, or every case if `PARLEY_TESTS_ALL` says so, then judges the rows
 * of the checklist.
 */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  await untilFolder();
  const filter = process.env['PARLEY_TEST_FILTER'] ?? '';
  const isPlayed = (stages: readonly string[]) => process.env['PARLEY_TESTS_ALL'] === '1' || !stages.includes('desk');
  serveCallsBy(askOutside);
  eachCase(({ name, stages, play, timeoutMs }) => {
    if (isPlayed(stages)) test(name, play, timeoutMs);
  });
  const outcomes = new Map<string, string | undefined>();
  const connections = await openConnections();
  const print = (line: object) => console.log(reportPrefix + JSON.stringify(line));
  const report = (line: TestReport) => {
    if (line.type === 'pass' || line.type === 'fail') {
      connections.forget();
      outcomes.set(line.name, line.type === 'fail' ? line.error : undefined);
    }
    if (line.type !== 'end') print(line);
  };
  await runTests(filter, report);
  await connections.close();
  const root = projectFolder();
  const results = await judge(rows, cases, outcomes, { filter, read: (path) => join(root, path) });
  for (const { id, words, problem } of results) {
    if (problem !== undefined) print({ type: 'fail', name: `${id} ${words}`, durationMs: 0, error: problem });
  }
  console.log(rowsPrefix + JSON.stringify(results.map(short)));
  print({ type: 'end', passed: 0, failed: 0 });
}

function short({ id, group, verdict }: RowResult): object {
  return { id, group, verdict };
}
