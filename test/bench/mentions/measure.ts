// Runs in plain Node: `run.mjs` bundles it. Prints rows as JSON.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { FileIndex } from '../../../src/host/context/search/fileIndex';
import { HiddenFiles } from '../../../src/host/context/search/hiddenFiles';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly budget: number;
  readonly unit: 'ms' | 'MB';
}

const count = 100_000;
/** Words that names are made of, so that short queries match nearly everything. */
const words = [
  'session',
  'store',
  'index',
  'host',
  'page',
  'rule',
  'watch',
  'parse',
  'context',
  'agent',
  'view',
  'tree',
];
/** What users type, one key at a time. */
const typed = ['sessionStore', 'hostpage', 'wpa', 'ctx/ag', 'tree99', 'zzz', 'index.ts'];

/** Creates folders of 40 files, with a folder of packages and rules of git beside them. */
function createFiles(folder: string): void {
  for (let at = 0; at < count / 40; at++) {
    const below = join(folder, word(at), `${word(at * 7 + 3)}-${at % 50}`, word(at * 5 + 1) + String(at));
    mkdirSync(below, { recursive: true });
    for (let file = 0; file < 40; file++) {
      writeFileSync(join(below, `${word(file)}${capital(word(file * 3 + at))}${file}.ts`), '');
    }
  }
  mkdirSync(join(folder, 'node_modules', 'left-out'), { recursive: true });
  writeFileSync(join(folder, '.gitignore'), 'dist/\n*.log\n/coverage\n!keep.log\n.env\n');
}

function word(at: number): string {
  return words[at % words.length] ?? '';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns how long the work takes and how long it blocks everything else at most, in milliseconds. */
async function measured(work: () => Promise<unknown>): Promise<{ ms: number; block: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  delay.disable();
  return { ms, block: delay.max / 1e6 };
}

function usedHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const [folder = ''] = process.argv.slice(2);
createFiles(folder);
const heapBefore = usedHeap();
const index = new FileIndex([{ root: folder, prefix: '', hidden: new HiddenFiles(folder, ['**/*.map']) }]);
const reading = await measured(() => index.ready);
const heap = (usedHeap() - heapBefore) / 1e6;
if ((await index.list(Infinity, ({ isFolder }) => !isFolder)).length < count)
  throw new Error('Some files are missing.');
const first = await measured(() => index.search('s', 40, () => true));
const keys = typed.flatMap((text) => Array.from(text, (_, at) => text.slice(0, at + 1)));
const times: number[] = [];
let block = first.block;
for (let round = 0; round < 3; round++) {
  for (const key of keys) {
    const search = await measured(() => index.search(key, 40, () => true));
    times.push(search.ms);
    block = Math.max(block, search.block);
  }
}
const heapInUse = (usedHeap() - heapBefore) / 1e6;
times.sort((a, b) => a - b);
const percentile = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
const rows: Row[] = [
  { name: '100,000 files read once, in the background', value: reading.ms, budget: 20_000, unit: 'ms' },
  { name: '100,000 files read once, longest block', value: reading.block, budget: 50, unit: 'ms' },
  { name: '100,000 files, memory at rest', value: heap, budget: 150, unit: 'MB' },
  { name: '100,000 files, memory after searches', value: heapInUse, budget: 300, unit: 'MB' },
  { name: '100,000 files, first search', value: first.ms, budget: 1000, unit: 'ms' },
  { name: 'Search, per key, median', value: percentile(0.5), budget: 50, unit: 'ms' },
  { name: 'Search, per key, 95th percentile', value: percentile(0.95), budget: 50, unit: 'ms' },
  { name: 'Search, longest block', value: block, budget: 50, unit: 'ms' },
];
process.stdout.write(JSON.stringify(rows));
