// @ts-check
// Runs Parley's agents for long: `npm run soak -- --updates 1000000 --reconnects 500`.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { bundleTests } from '../runner/bundle.mjs';

const folder = `soak-run-${process.pid}`;
const [bundle = ''] = await bundleTests([inRoot('test/soak/main.ts')], { folder, format: 'cjs' });
const flags = ['--enable-source-maps', '--expose-gc'];
const child = spawn(process.execPath, [...flags, bundle, ...process.argv.slice(2)], { stdio: 'inherit' });
child.once('exit', (code) => {
  void rm(inRoot('out', folder), { recursive: true, force: true }).then(() => process.exit(code ?? 1));
});
