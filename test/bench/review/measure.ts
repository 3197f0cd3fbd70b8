// One run of the measurements, in a process of its own; prints the rows as JSON. The folder to work in is its argument.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultLimits } from '../../../src/baseline/baseline';
import { BlobStore } from '../../../src/baseline/blobStore';
import { Recorder } from '../../../src/baseline/recorder';
import { WorkspaceBaseline } from '../../../src/baseline/workspaceBaseline';
import { changedFiles } from '../../../src/review/shown/changedFiles';
import type { AgentAuthor } from '../../../src/review/hunks/hunk';
import { ReviewLog } from '../../../src/review/log/reviewLog';
import { typedChange } from '../../../src/review/hunks/typedChange';
import type { SessionKey } from '../../../src/shared/values/ids';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly budget: number;
}

const session = 's' as SessionKey;
const author: AgentAuthor = { kind: 'agent', agentName: 'Agent', session, turn: 1 };
const text = (lines: readonly string[]) => ({ kind: 'text', text: lines.join('\n') }) as const;

function median(run: () => void, times: number): number {
  const taken = Array.from({ length: times }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
}

/** A 10,000-line file with 500 changes, compared anew after one more edit. */
function rediff(): number {
  const lines = Array.from({ length: 10_000 }, (_, at) => `const value${at} = compute(${at % 97}, "${at % 13}");`);
  const changed = lines.map((line, at) => (at % 20 === 7 ? `${line} // changed` : line));
  const log = new ReviewLog();
  log.track('a', text(lines));
  log.agentEdit('a', text(changed), author);
  if (log.file('a')?.hunks.length !== 500) throw new Error('There are not 500 changes.');
  let round = 0;
  return median(() => {
    round++;
    log.agentEdit('a', text(changed.with(5000 + round * 3, `another line ${round}`)), author);
  }, 15);
}

/** One keystroke in such a file. */
function keystroke(): number {
  const lines = Array.from({ length: 10_000 }, (_, at) => `const value${at} = compute(${at % 97}, "${at % 13}");`);
  let current = lines.map((line, at) => (at % 20 === 7 ? `${line} // changed` : line));
  const log = new ReviewLog();
  log.track('a', text(lines));
  log.agentEdit('a', text(current), author);
  let round = 0;
  return median(() => {
    const startLine = 5000 + round++;
    const change = { startLine, startCharacter: 0, endLine: startLine, endCharacter: 0, text: 'x' };
    current = current.with(startLine, `x${current[startLine]}`);
    const told = typedChange(log.file('a')?.snapshot.text.current ?? [], change, current.join('\n'));
    if (!told) throw new Error('The change was not understood.');
    log.userChange('a', [told]);
  }, 15);
}

/** 200 files with changes of 400 lines each, listed for the chat. */
function list(): number {
  const log = new ReviewLog();
  for (let at = 0; at < 200; at++) {
    const lines = Array.from({ length: 400 }, (_, line) => `line ${line} of file ${at}`);
    log.track(`file:///src/file${at}.ts`, text(lines));
    log.agentEdit(`file:///src/file${at}.ts`, text(lines.map((line, i) => (i % 9 === 0 ? `${line}!` : line))), author);
  }
  return median(() => {
    if (changedFiles(log, session, (uri) => uri).length !== 200) throw new Error('Files are missing.');
  }, 9);
}

/** 100,000 files of a few hundred bytes in folders of 100. */
async function manyFiles(folder: string): Promise<void> {
  for (let directory = 0; directory < 1000; directory++) {
    const path = join(folder, `package${directory % 40}`, `folder${directory}`);
    await mkdir(path, { recursive: true });
    const content = `export const answer = ${directory};\n`.repeat(8);
    const names = Array.from({ length: 100 }, (_, at) => join(path, `file${at}.ts`));
    await Promise.all(names.map((name, at) => writeFile(name, `// ${at}\n${content}`)));
  }
}

/** Processor time, that of git included, and the longest time in which nothing else could run, of one take. */
async function take(folder: string, recorder: Recorder): Promise<{ cpu: number; block: number }> {
  let block = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    const now = performance.now();
    block = Math.max(block, now - last - 1);
    last = now;
  }, 1);
  const start = processorMs();
  const baseline = await WorkspaceBaseline.take([folder], recorder, { names: new Set(), globs: [] }, defaultLimits);
  const cpu = processorMs() - start;
  clearInterval(watch);
  baseline.dispose();
  return { cpu, block };
}

/** Of this process and of its children that have ended, in milliseconds; without the latter where the system does not tell. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenMs();
}

function childrenMs(): number {
  if (process.platform !== 'linux') return 0;
  // After the name in brackets: cutime and cstime are fields 16 and 17 of proc(5), in hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

const newRecorder = (store: string) => new Recorder(new BlobStore(store), defaultLimits, () => Date.now());

const [folder = ''] = process.argv.slice(2);
const rows: Row[] = [
  { name: '10,000 lines with 500 changes, compared anew', value: rediff(), budget: 30 },
  { name: '10,000 lines with 500 changes, one keystroke', value: keystroke(), budget: 30 },
  { name: '200 changed files, listed', value: list(), budget: 200 },
];
const many = join(folder, 'many');
await manyFiles(many);
const loose = await take(many, newRecorder(join(folder, 'store1')));
execFileSync('git', ['-C', many, 'init', '-q']);
execFileSync('git', ['-C', many, '-c', 'gc.auto=0', 'add', '.']);
execFileSync('git', [
  '-C',
  many,
  '-c',
  'gc.auto=0',
  '-c',
  'user.name=B',
  '-c',
  'user.email=b@example.com',
  'commit',
  '-qm',
  'one',
]);
// The first look reads the sizes of all objects, and happens when a session opens. A turn begins with a later one.
const recorder = newRecorder(join(folder, 'store2'));
const first = await take(many, recorder);
const kept = await take(many, recorder);
rows.push(
  { name: 'First look, 100,000 files in a repository, processor', value: first.cpu, budget: 8000 },
  { name: 'First look, 100,000 files in a repository, longest block', value: first.block, budget: 200 },
  { name: 'Turn start, 100,000 files, no repository, processor', value: loose.cpu, budget: 1500 },
  { name: 'Turn start, 100,000 files, no repository, longest block', value: loose.block, budget: 50 },
  { name: 'Turn start, 100,000 files in a repository, processor', value: kept.cpu, budget: 1500 },
  { name: 'Turn start, 100,000 files in a repository, longest block', value: kept.block, budget: 50 },
);
process.stdout.write(JSON.stringify(rows));
