import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kinds } from './history';
import { playHistories } from './play';

const { values } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' }, kind: { type: 'string' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const count = Number(values.count ?? 300);
const kind = kinds.find((one) => one === values.kind);
console.log(`Seed ${seed}, ${count} histories`);
const root = mkdtempSync(join(tmpdir(), 'parley-histories-'));
let failures = 0;
const onFailure = (error: Error) => {
  failures++;
  console.error(error.message);
};
void playHistories({ count, seed, root, onFailure, findsFolders: true, ...(kind ? { kind } : {}) }).then(() => {
  rmSync(root, { recursive: true, force: true });
  console.log(`${failures} of ${count} failed`);
  process.exitCode = failures > 0 ? 1 : 0;
});
