// @ts-check
// Plays random histories of agents and a user: `npm run histories -- --count 10000 --seed 1 --kind filter`.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { bundleTests } from '../runner/bundle.mjs';

const folder = `histories-run-${process.pid}`;
const [bundle = ''] = await bundleTests([inRoot('test/histories/main.ts')], { folder, format: 'cjs' });
const child = spawn(process.execPath, ['--enable-source-maps', bundle, ...process.argv.slice(2)], { stdio: 'inherit' });
child.once('exit', (code) => {
  void rm(inRoot('out', folder), { recursive: true, force: true }).then(() => process.exit(code ?? 1));
});
