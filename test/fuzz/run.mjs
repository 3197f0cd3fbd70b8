// @ts-check
// Feeds what reads text from outside with texts that nobody meant: `npm run fuzz -- --inputs 1000000 --seed 1 --only Markdown`.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { bundleTests } from '../runner/bundle.mjs';

const folder = `fuzz-run-${process.pid}`;
const [bundle = ''] = await bundleTests([inRoot('test/fuzz/main.ts')], { folder, format: 'cjs' });
const child = spawn(process.execPath, ['--enable-source-maps', bundle, ...process.argv.slice(2)], { stdio: 'inherit' });
child.once('exit', (code) => {
  void rm(inRoot('out', folder), { recursive: true, force: true }).then(() => process.exit(code ?? 1));
});
