import { readFile } from 'node:fs/promises';
import type { Row } from './rows';

/** How a row did; `problem` is what makes the run fail, besides the case itself. */
export interface RowResult extends Row {
  readonly verdict: 'passed' | 'failed' | 'not applicable' | 'later' | 'open' | 'not run';
  readonly problem?: string;
}

interface Run {
  /** A part of the names of the cases that were played. */
  readonly filter: string;
  /** The absolute path of a file of the project. */
  readonly read: (path: string) => string;
}

/** Judges every row by what its case did, or by whether the test that shows it is there. */
export async function judge(
  rows: readonly Row[],
  cases: ReadonlyMap<string, string>,
  outcomes: ReadonlyMap<string, string | undefined>,
  run: Run,
): Promise<readonly RowResult[]> {
  const known = new Set(rows.map(({ id }) => id));
  const strange = [...cases.keys()].filter((id) => !known.has(id));
  if (strange.length > 0) throw new Error(`These cases are of no row: ${strange.join(', ')}`);
  return Promise.all(rows.map((row) => judgeRow(row, cases.get(row.id), outcomes, run)));
}

async function judgeRow(
  row: Row,
  name: string | undefined,
  outcomes: ReadonlyMap<string, string | undefined>,
  { filter, read }: Run,
): Promise<RowResult> {
  const { state } = row;
  const isPlayed = name !== undefined && outcomes.has(name);
  const error = name === undefined ? undefined : outcomes.get(name);
  if (state === 'case' || 'caseAnd' in state) {
    if (name === undefined) return { ...row, verdict: 'failed', problem: 'This row has no case.' };
    if (!isPlayed) return { ...row, verdict: 'not run' };
    // The failure of a case was reported with it.
    return error === undefined
      ? judgeElsewhere(row, state === 'case' ? [] : state.caseAnd, read)
      : { ...row, verdict: 'failed' };
  }
  if ('open' in state) {
    // Its case is expected to fail, and says so if it doesn't.
    return { ...row, verdict: error === undefined ? 'open' : 'failed' };
  }
  if (name !== undefined) return { ...row, verdict: 'failed', problem: 'It has a case, so its state must say so.' };
  if ('later' in state) return { ...row, verdict: 'later' };
  if ('notApplicable' in state) return { ...row, verdict: 'not applicable' };
  if (filter !== '') return { ...row, verdict: 'not run' };
  return judgeElsewhere(row, state.shownBy, read);
}

/** Judges by whether the tests are there; whether they pass is told where they run. */
async function judgeElsewhere(row: Row, tests: readonly string[], read: Run['read']): Promise<RowResult> {
  const missing = await missingTests(tests, read);
  if (missing.length === 0) return { ...row, verdict: 'passed' };
  return { ...row, verdict: 'failed', problem: `These tests do not exist: ${missing.join('; ')}` };
}

/** Of tests written as `path › name`, those whose file does not hold their name. */
async function missingTests(tests: readonly string[], read: (path: string) => string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const shown of tests) {
    const [path = '', name = ''] = shown.split(' › ');
    const text = await readFile(read(path), 'utf8').catch(() => '');
    if (name === '' || !['"', "'", '`'].some((quote) => text.includes(quote + name + quote))) missing.push(shown);
  }
  return missing;
}
