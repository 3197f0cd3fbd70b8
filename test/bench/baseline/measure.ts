// One run of the measurements, in a process of its own; prints the rows as JSON. The folder to work in is its argument.
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { defaultLimits } from '../../../src/baseline/baseline';
import { BlobStore } from '../../../src/baseline/blobStore';
import { Recorder } from '../../../src/baseline/recorder';
import { WorkspaceBaseline } from '../../../src/baseline/workspaceBaseline';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly budget: number;
  readonly unit?: string;
}

const files = 20_000;
const rounds = 9;

/** Files of 20 to 220 lines that end in CRLF, as Git for Windows checks them out. */
async function makeRepository(top: string): Promise<void> {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', top, '-c', 'user.name=B', '-c', 'user.email=b@example.com', '-c', 'gc.auto=0', ...args]);
  for (let folder = 0; folder < 200; folder++) {
    const path = join(top, 'src', `folder${folder}`);
    await mkdir(path, { recursive: true });
    const contents = Array.from({ length: files / 200 }, (_, at) =>
      Array.from(
        { length: 20 + ((folder + at) % 200) },
        (_line, line) => `const value${line} = ${folder * at};\r\n`,
      ).join(''),
    );
    await Promise.all(contents.map((content, at) => writeFile(join(path, `file${at}.ts`), content)));
  }
  git('init', '-q');
  git('config', 'core.autocrlf', 'true');
  git('config', 'core.safecrlf', 'false');
  git('add', '.');
  git('commit', '-qm', 'one');
  // As after a clone, objects are in a pack. Files written in the same second as the index are read by git each time.
  git('gc', '-q');
  await delay(1100);
  git('reset', '-q', '--mixed');
}

/** The commands that a turn ran when all clean files were taken for those of the commit. */
async function before(top: string): Promise<void> {
  const run = (...args: string[]) =>
    promisify(execFile)('git', ['-C', top, ...args], {
      maxBuffer: 1e9,
      encoding: 'buffer',
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    });
  await run('rev-parse', '--show-toplevel');
  const listed = ['--porcelain=v2', '-z', '--branch', '--untracked-files=all', '--ignored=matching', '--no-renames'];
  await Promise.all([
    run('status', ...listed, '--ignore-submodules=all'),
    run('ls-files', '-o', '--directory', '--exclude-standard', '-z'),
    run('ls-files', '-s', '-z'),
    run('rev-parse', '--git-common-dir'),
  ]);
}

async function timeOf(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
}

const [folder = ''] = process.argv.slice(2);
const top = join(await realpath(folder), 'repository');
await makeRepository(top);
const recorder = new Recorder(new BlobStore(join(folder, 'store')), defaultLimits, () => Date.now());
const take = async () => {
  const baseline = await WorkspaceBaseline.take([top], recorder, { names: new Set(), globs: [] }, defaultLimits);
  baseline.dispose();
};
await before(top);
const first = await timeOf(take);
const [old, now]: [number[], number[]] = [[], []];
for (let round = 0; round < rounds; round++) {
  old.push(await timeOf(() => before(top)));
  now.push(await timeOf(take));
}
const rows: Row[] = [
  { name: '20,000 files with autocrlf, git status alone', value: median(old), budget: 2000 },
  { name: '20,000 files with autocrlf, start of a turn', value: median(now), budget: 3000 },
  {
    name: '20,000 files with autocrlf, compared with git status',
    value: median(now) / median(old),
    budget: 1.5,
    unit: 'x ',
  },
  { name: '20,000 files with autocrlf, when the session opens', value: first, budget: 20_000 },
];
console.log(JSON.stringify(rows));
